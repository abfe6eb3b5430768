import { sql } from "kysely";
import { isDataDirectoryHeld } from "./data-directory.server";
import { PORTAL_CONNECTION } from "./postgres-pool.server";
import type { Reader } from "./store.server";

/**
 * Whether a portal is connected to the database. It looks for announcements every few seconds, so it is as long as it
 * serves.
 * @param dataDir where SQLite's file is
 */
export async function isPortalServing(reader: Reader, dataDir: string): Promise<boolean> {
  if (!reader.isPostgres) return isDataDirectoryHeld(dataDir);
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and application_name = ${PORTAL_CONNECTION} limit 1`.execute(reader);
  return rows.length > 0;
}
