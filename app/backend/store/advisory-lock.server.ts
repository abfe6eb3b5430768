import { sql } from "kysely";
import type { Tx } from "./store.server";

/**
 * Locks a name until the transaction ends, for things that have no row to lock yet. On SQLite it does nothing, because
 * only one transaction runs at a time.
 */
export async function takeAdvisoryLock(tx: Tx, name: string): Promise<void> {
  if (tx.isPostgres) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
