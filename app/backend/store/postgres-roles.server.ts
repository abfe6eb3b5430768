import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { ConnectionPool } from "./postgres-pool.server";
import type { Reader } from "./store.server";
import type { Tables } from "./tables.server";

/** "TARN" in ASCII. (Migrations take Kysely's own lock.) */
const OWNER_LOCK = 0x54_41_52_4e;

/** Kysely over a pool. Destroying it closes the pool. */
export function over(pool: ConnectionPool): Reader {
  return Object.assign(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), { isPostgres: true });
}

/**
 * Works as the role that owns the tables, over one connection.
 * @param onLost called when the idle connection breaks
 */
export async function asOwner<Value>(
  settings: PostgresSettings,
  onLost: (error: unknown) => void,
  work: (owner: Reader) => Promise<Value>,
): Promise<Value> {
  // No time limit: changing a large table is slow, and another process may be migrating already.
  const patient = { ...settings, connections: 1, statements: undefined };
  const owner = over(new ConnectionPool(settings.migrationAddress ?? settings.address, patient, onLost));
  try {
    return await work(owner);
  } finally {
    await owner.destroy();
  }
}

/** Lets one process at a time add months and rights, until its transaction ends. */
export async function lockOutOtherOwners(owner: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(OWNER_LOCK)})`.execute(owner);
}
