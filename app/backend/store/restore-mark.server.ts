import { sql, type Kysely } from "kysely";
import { TablesNotReady } from "./require-tables.server";
import type { Reader } from "./store.server";
import type { Tables } from "./tables.server";

/**
 * A table without columns. PostgreSQL has it from the start of a restore until everything that was going on in the
 * backup is ended, even if the restore is killed. SQLite needs none, because its file is replaced at once.
 */
export const RESTORE_MARK = "portal_restore";

/**
 * Call this only after the tables were found up to date, because the mark is made before tables are restored.
 * @throws TablesNotReady while a backup is being restored
 */
export async function requireNoRestore(reader: Reader): Promise<void> {
  if (!reader.isPostgres) return;
  const { rows } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relname = ${RESTORE_MARK}`.execute(reader);
  if (rows.length > 0)
    throw new TablesNotReady(
      "a backup is being restored (if that was interrupted: run portal restore --after-restore)",
    );
}

/** Sets the mark, as the owner of the tables. */
export async function markRestore(owner: Kysely<Tables>): Promise<void> {
  await sql`create table if not exists ${sql.table(RESTORE_MARK)} ()`.execute(owner);
}

/** Removes the mark, as the owner of the tables. */
export async function unmarkRestore(owner: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists ${sql.table(RESTORE_MARK)}`.execute(owner);
}
