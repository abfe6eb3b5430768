import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.server";

/**
 * An open transaction. Await only queries inside it, no hashing and no network, since the next writer waits. SQLite runs
 * one transaction at a time. On PostgreSQL each statement sees what was committed before it began, so lock the rows you
 * read and rely on (`forNoKeyUpdate`), an account before a code.
 */
export type Tx = Transaction<Tables>;
/** Where a read-only query may run: on its own or inside a transaction. */
export type Reader = Kysely<Tables>;

/** The backend's store. Services write only inside `write` and take its transaction as their first parameter. */
export interface Store {
  /** Queries outside a transaction: reads only. */
  readonly read: Reader;
  /**
   * Runs the work in a transaction and resolves once it is durable. Only an exception rolls back: a returned refusal
   * keeps its changes. The work may run more than once until a run is committed (it asks for that by throwing
   * `Overtaken`), so anything but queries belongs in `afterCommit`. A row that many requests change at once is changed
   * last: whoever else wants it waits until the commit. Don't nest calls.
   * @throws DatabaseUnavailable, and whatever the work throws
   */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /**
   * Runs independent statements: if one fails, the changes of earlier ones may stay. On PostgreSQL each is its own
   * transaction, so that no row stays locked while this process is busy with something else; on SQLite they share one.
   * They run once.
   * @throws DatabaseUnavailable, and whatever the statements throw
   */
  apart<Value>(statements: (db: Reader) => Promise<Value>): Promise<Value>;
  /** @throws Error if the database doesn't answer in time or, on PostgreSQL, migrations are missing */
  check(): Promise<void>;
  /** Waits for work under way, then closes. */
  close(): Promise<void>;
}
