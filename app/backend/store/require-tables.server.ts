import { StartRefusal } from "../start-refusal.server";
import { MIGRATION_NAMES } from "./migrations/all.server";
import { aheadInWords, stateOfTables } from "./migrations/state.server";
import { NOT_ALLOWED, StatementRefused } from "./postgres-errors.server";
import type { Reader } from "./store.server";

/** PostgreSQL's tables are not ready. The portal waits until an operator has done what the message says. */
export class TablesNotReady extends StartRefusal {}

/** What brings PostgreSQL's tables up to date; nothing else does. */
export const MIGRATE_AS_OWNER =
  "run portal migrate as the role that owns the tables (MIGRATION_DATABASE_URL)";

/** The tables lack migrations, or rights for this role. A portal never changes PostgreSQL's tables itself (S117). */
export class TablesOutdated extends TablesNotReady {
  constructor(problem: string) {
    super(`${problem}: ${MIGRATE_AS_OWNER}`);
  }
}

/**
 * Checks that this version can work on the tables with its role's rights.
 * @throws TablesOutdated if they lack something; StartRefusal if a later version has changed them too much
 */
export async function requireTables(db: Reader): Promise<void> {
  const state = await stateOfTables(db).catch((error: unknown) => {
    if (error instanceof StatementRefused && error.code === NOT_ALLOWED)
      throw new TablesOutdated("this role may not use the tables");
    throw error;
  });
  if (state.kind === "ahead") throw new StartRefusal(aheadInWords(state.needed));
  if (state.kind === "current") return;
  const isEmpty = state.missing.length === MIGRATION_NAMES.length;
  throw new TablesOutdated(
    isEmpty ? "the database has no tables yet" : `the tables lack ${state.missing.join(", ")}`,
  );
}
