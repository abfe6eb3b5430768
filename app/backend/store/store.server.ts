import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.server";

/** A transaction that is open. It awaits nothing but queries: no hash, no network (whoever writes next waits for it). */
export type Tx = Transaction<Tables>;
/** Where a query that only reads may run: on its own, or inside a transaction. */
export type Reader = Kysely<Tables>;

/** The backend's store. Services write inside `write` only, and take its transaction as their first parameter. */
export interface Store {
  /** Queries outside of a transaction: reads only. */
  readonly read: Reader;
  /**
   * Runs the work in a transaction and resolves after it is durable. The value is kept with the changes, a refusal
   * included: only an exception undoes them. Never call it inside itself.
   */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /** @throws Error when the database doesn't answer, in time or at all, or its tables are not those of this portal */
  check(): Promise<void>;
  /** Waits for what was begun, then closes. */
  close(): Promise<void>;
}
