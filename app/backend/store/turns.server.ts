import { PostgresAdapter, sql } from "kysely";
import type { Tx } from "./store.server";

/**
 * Waits until every other transaction that took a turn under this name has ended: for what has no row yet that could be
 * locked. On SQLite each transaction has had its turn when it begins.
 */
export async function takeTurn(tx: Tx, name: string): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
