import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.server";

/**
 * An open transaction. Await only queries inside it, no hashing and no network, because the next writer is waiting.
 * SQLite runs one transaction at a time. On PostgreSQL each statement sees what was committed before it began, so lock
 * the rows that you read and rely on (`forNoKeyUpdate`), an account before a code.
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
   * keeps its changes. Don't nest calls.
   *
   * The work may run more than once until a run is committed (and asks for it by throwing `Overtaken`), so anything but
   * queries belongs in `afterCommit`. Change a row that many requests change at once last, because the others wait for
   * it until the commit.
   * @throws DatabaseUnavailable, and whatever the work throws
   */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /**
   * Runs independent statements, once: if one fails, the changes of earlier ones may stay. On PostgreSQL each is its
   * own transaction, so that no row stays locked while this process is busy with something else; on SQLite they share
   * one.
   * @throws DatabaseUnavailable, and whatever the statements throw
   */
  apart<Value>(statements: (db: Reader) => Promise<Value>): Promise<Value>;
  /**
   * Like `apart`, for statements that only count what the caller is about to try. They survive the end of this process.
   * On SQLite they don't wait for the disk, so a crash of the machine may undo them until the next change by `write`
   * or `apart`, such as the one that records how the try went.
   * @throws DatabaseUnavailable, and whatever the statements throw
   */
  count<Value>(statements: (db: Reader) => Promise<Value>): Promise<Value>;
  /** @throws Error if the database doesn't answer in time or, on PostgreSQL, migrations are missing */
  check(): Promise<void>;
  /** Waits for work under way, then closes. */
  close(): Promise<void>;
}
