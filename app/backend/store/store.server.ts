import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.server";

/**
 * An open transaction. Await nothing but queries in it: no hashing, no network, since the next writer waits for it. SQLite
 * runs one transaction at a time. On PostgreSQL each statement sees what was committed before it began:
 * what is read and then relied on is locked (`forNoKeyUpdate`), an account before a code.
 */
export type Tx = Transaction<Tables>;
/** Where a query that only reads may run: on its own, or inside a transaction. */
export type Reader = Kysely<Tables>;

/** The backend's store. Services write inside `write` only, and take its transaction as their first parameter. */
export interface Store {
  /** Queries outside of a transaction: reads only. */
  readonly read: Reader;
  /**
   * Runs the work in a transaction and resolves after it is durable. The value is kept with the changes, a refusal
   * included: only an exception undoes them. The work may run more than once, until one run is committed: what it does
   * beside queries belongs into `afterCommit`. Never call it inside itself.
   * @throws DatabaseUnavailable, and whatever the work throws
   */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /**
   * Runs statements that may stand alone: when one fails, what those before it changed may have stayed. On PostgreSQL
   * each is a transaction by itself, so that no row stays locked while this process is busy with something else; on
   * SQLite they share one. They run once.
   * @throws DatabaseUnavailable, and whatever the statements throw
   */
  apart<Value>(statements: (db: Reader) => Promise<Value>): Promise<Value>;
  /** @throws Error when the database doesn't answer, in time or at all, or its tables are not those of this portal */
  check(): Promise<void>;
  /** Waits for what was begun, then closes. */
  close(): Promise<void>;
}
