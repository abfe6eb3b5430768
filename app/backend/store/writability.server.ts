import type { Kysely } from "kysely";
import { SECOND } from "../clock.server";
import { DatabaseUnavailable } from "./database-unavailable.server";
import type { Tables } from "./tables.server";

/** How long a refused write counts: longer than load balancers take to notice. */
const HOLD_MS = 10 * SECOND;
const FACT = "write-check";

/**
 * Knows whether the database takes writes (S115). A full disk may still have room for a check's small write, so a
 * customer's refused write counts for a while, too.
 */
export class Writability {
  #refusedAt = -Infinity;

  /** Returns the result of a write, and remembers if it was refused. */
  async watch<Value>(write: Promise<Value>): Promise<Value> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.takesNoWrites) this.#refusedAt = performance.now();
      throw error;
    }
  }

  /** @throws DatabaseUnavailable if a write was refused a moment ago */
  requireNoRefusal(): void {
    if (performance.now() - this.#refusedAt < HOLD_MS)
      throw new DatabaseUnavailable("the database refused a write a moment ago", { takesNoWrites: true });
  }
}

/** Checks with the smallest possible write. @throws DatabaseUnavailable */
export async function tryWriting(db: Kysely<Tables>): Promise<void> {
  const value = String(Date.now());
  await db
    .insertInto("facts")
    .values({ name: FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
