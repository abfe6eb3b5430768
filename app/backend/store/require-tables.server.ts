import { type Kysely, sql } from "kysely";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { MIGRATION_NAMES, refuseOtherReleases, stateOfTables } from "./migrations/run.server";
import { NOT_ALLOWED, StatementRefused } from "./postgres-pool.server";
import type { Reader } from "./store.server";
import type { Tables } from "./tables.server";

/** PostgreSQL's tables are not ready. The portal waits until an operator has done what the message says. */
export class TablesNotReady extends StartRefusal {}

/** The advice for outdated tables on PostgreSQL. */
export const MIGRATE_AS_OWNER =
  "run portal migrate as the role that owns the tables (MIGRATION_DATABASE_URL)";

/** The tables lack migrations, or rights for this role. A portal never changes PostgreSQL's tables itself (S117). */
export class TablesOutdated extends TablesNotReady {
  constructor(problem: string) {
    super(`${problem}: ${MIGRATE_AS_OWNER}`);
  }
}

/**
 * Checks that this version can work on the tables with its role's rights.
 * @throws TablesOutdated if they lack something; StartRefusal if they are of a release too late or too old
 */
export async function requireTables(db: Reader): Promise<void> {
  const state = await stateOfTables(db).catch((error: unknown) => {
    if (error instanceof StatementRefused && error.code === NOT_ALLOWED)
      throw new TablesOutdated("this role may not use the tables");
    throw error;
  });
  refuseOtherReleases(state);
  if (state.kind !== "behind") return;
  const isEmpty = state.missing.length === MIGRATION_NAMES.length;
  throw new TablesOutdated(
    isEmpty ? "the database has no tables yet" : `the tables lack ${state.missing.join(", ")}`,
  );
}

/**
 * A table without columns. PostgreSQL has it from the start of a restore until the live state in the backup (sessions,
 * codes, messages) is revoked, even if the restore is killed. SQLite needs none, because its file is replaced at once.
 */
export const RESTORE_MARK = "portal_restore";

/**
 * Call this only after the tables were found up to date, because the mark is made before tables are restored.
 * @throws TablesNotReady while a backup is being restored
 */
export async function requireNoRestore(reader: Reader): Promise<void> {
  if (reader.isPostgres && (await isBeingRestored(reader)))
    throw new TablesNotReady(
      "a backup is being restored (if that was interrupted: run portal restore --after-restore)",
    );
}

/** Whether the mark is there; PostgreSQL only. */
export async function isBeingRestored(reader: Reader): Promise<boolean> {
  const { rows } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relname = ${RESTORE_MARK}`.execute(reader);
  return rows.length > 0;
}

/** The mark has this column until the backup's rows are there. */
const UNLOADED = "unloaded";

/** Whether the mark is there and the backup's rows are not; PostgreSQL only. */
export async function isUnloaded(reader: Reader): Promise<boolean> {
  const { rows } = await sql`select from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relname = ${RESTORE_MARK}
      and attname = ${UNLOADED} and not attisdropped`.execute(reader);
  return rows.length > 0;
}

/** Sets the mark, as the owner of the tables, before any of the backup's rows is there. */
export async function markRestore(owner: Kysely<Tables>): Promise<void> {
  const mark = sql.table(RESTORE_MARK);
  await sql`create table if not exists ${mark} ()`.execute(owner);
  await sql`alter table ${mark} add column if not exists ${sql.id(UNLOADED)} boolean`.execute(owner);
}

/**
 * The last statements of the transaction that loads the backup's rows. They fail unless `true` was read from standard
 * input: if the input merely ended, the backup may be cut off.
 */
export const LOADED: readonly string[] = [
  `copy ${RESTORE_MARK} (${UNLOADED}) from stdin`,
  `do $$ begin
    if not exists (select from ${RESTORE_MARK} where ${UNLOADED}) then
      raise exception 'the backup was not read to its end';
    end if;
  end $$`,
  `alter table ${RESTORE_MARK} drop column ${UNLOADED}`,
];

/** Removes the mark, as the owner of the tables. */
export async function unmarkRestore(owner: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists ${sql.table(RESTORE_MARK)}`.execute(owner);
}
