import { sql } from "kysely";
import { isPostgres } from "./dialect.server";
import { statement } from "./statement.server";
import type { Tx } from "./store.server";

const lock = statement((db, { name }: { readonly name: string }) => {
  const taken = sql<null>`pg_advisory_xact_lock(hashtextextended(${name}, 0))`.as("taken");
  return db.selectNoFrom(taken);
});

/**
 * Locks a name until the transaction ends, for things that have no row to lock yet. On SQLite it does nothing, because
 * only one transaction runs at a time.
 */
export async function takeAdvisoryLock(tx: Tx, name: string): Promise<void> {
  if (isPostgres(tx)) await lock.rows(tx, { name });
}
