import { sql } from "kysely";
import { isDataDirectoryHeld } from "./data-directory.server";
import { PORTAL_CONNECTION } from "./postgres-pool.server";
import type { Reader } from "./store.server";

/**
 * Whether a portal is connected to the database. On PostgreSQL, a portal that had no visitors for minutes may have no
 * connection, but then nobody is kept waiting either.
 * @param dataDir where SQLite's file is
 */
export async function isPortalServing(reader: Reader, dataDir: string): Promise<boolean> {
  if (!reader.isPostgres) return isDataDirectoryHeld(dataDir);
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and application_name = ${PORTAL_CONNECTION} limit 1`.execute(reader);
  return rows.length > 0;
}
