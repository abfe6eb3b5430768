import { sql } from "kysely";
import { isDataDirectoryHeld } from "./data-directory.server";
import { PORTAL_CONNECTION } from "./postgres-pool.server";
import type { Reader } from "./store.server";

/**
 * Whether a portal is connected to the database. A serving portal always is: it reads announcements every few seconds.
 * @param dataDir where SQLite's file is
 */
export async function isPortalServing(reader: Reader, dataDir: string): Promise<boolean> {
  if (!reader.isPostgres) return isDataDirectoryHeld(dataDir);
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database()
      and starts_with(application_name, ${`${PORTAL_CONNECTION} (`}) limit 1`.execute(reader);
  return rows.length > 0;
}

/** The processes at work on PostgreSQL, by the names of their connections, and the build of each. */
export async function buildsAtWork(
  reader: Reader,
): Promise<readonly { readonly name: string; readonly build: string }[]> {
  const { rows } = await sql<{ name: string }>`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name ~ '^portal.* [(]' order by 1`.execute(reader);
  return rows.map(({ name }) => {
    const [, process = name, build = ""] = /^(.*) \((.*)\)$/.exec(name) ?? [];
    return { name: process, build };
  });
}
