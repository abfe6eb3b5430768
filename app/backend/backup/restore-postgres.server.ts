import { sql } from "kysely";
import { archivesOf } from "../audit/archives.server";
import { reasonOf, StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { MIGRATION_NAMES } from "../store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION, requireFilled, TOO_OLD } from "../store/previous-release.server";
import { dropTables, makeTablesOf } from "../store/postgres-migrations.server";
import { asOwner } from "../store/postgres-roles.server";
import { isUnloaded, LOADED, markRestore, RESTORE_MARK, unmarkRestore } from "../store/require-tables.server";
import { differenceInWords } from "../store/schema/schema-objects.server";
import { isPortalServing } from "../store/serving-portals.server";
import type { Reader } from "../store/store.server";
import { tableUpkeep } from "../store/table-upkeep.server";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { portalKeyring, withDatabase } from "../store/portal-database.server";
import { revokeLiveState, type Revocation, type RevokedCounts } from "./revoke-after-restore.server";
import {
  contentsOf,
  loadedTables,
  type LoadedTable,
  migrationsIn,
  type OpenBackup,
  rowsIn,
} from "./postgres-archive.server";
import { loadRows } from "./postgres-tools.server";

/** The outcome of a restore of the database. */
export interface RestoredDatabase {
  readonly revoked: RevokedCounts;
  /** The archives of the audit that the database names. */
  readonly archives: readonly string[];
  /** The file with the database that was replaced. */
  readonly kept?: string | undefined;
}

/**
 * Restores into an empty database as the tables' owner, then revokes its live state. The migrations make the
 * tables, and the backup gives only rows: no statement in it ever runs (S158).
 * @throws UsageError if the database is not empty; UnreadableBackup; StartRefusal, also while a portal is connected
 */
export async function restorePostgres(
  settings: PostgresSettings,
  input: string,
  open: OpenBackup,
  revocation: Revocation,
): Promise<RestoredDatabase> {
  // Fail early: without the keys the tables would be useless.
  portalKeyring();
  const owned = <Value>(work: (owner: Reader) => Promise<Value>) => asOwner(settings, () => undefined, work);
  await owned(requireUnused);
  const { tables, migrations } = await checked(input, open);
  try {
    const statements = await owned(async (owner) => {
      await dropTables(owner);
      await markRestore(owner);
      await makeTablesOf(owner, migrations);
      return statementsFor(owner, tables);
    });
    const { loaded, commands } = statements;
    await loadRows(settings, await open(), commands, (script) => rowsIn(script, loaded), "t\n");
    await owned(requireFilled);
  } catch (error) {
    // If the database can't be reached, the mark stays: portals wait, and the restore can be run again.
    await owned(async (owner) => {
      await dropTables(owner);
      await unmarkRestore(owner);
    }).catch(() => undefined);
    throw error;
  }
  try {
    // The backup may be from an earlier release.
    await tableUpkeep(settings, environment().DATA_DIR).run();
    return await withDatabase("owner", async (store) => ({
      revoked: await revokeLiveState(store, revocation),
      archives: (await archivesOf(store.read)).map(({ file }) => file),
    }));
  } catch (error) {
    throw new StartRefusal(
      `the tables are back, but what was going on in them is not ended: ${reasonOf(error)}; before a portal starts, run portal restore --after-restore`,
    );
  }
}

/** Checks that the database is empty and no portal is connected. Ignores what an interrupted restore has made. */
async function requireUnused(owner: Reader): Promise<void> {
  const { rows } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relname <> ${RESTORE_MARK} limit 1`.execute(
    owner,
  );
  if (rows.length > 0 && !(await isUnloaded(owner)))
    throw new UsageError(
      "--input: the database is not empty: stop every portal, and make an empty one first",
    );
  if (await isPortalServing(owner, environment().DATA_DIR))
    throw new StartRefusal("a portal is connected to the database: stop every portal first");
}

/** Checks what the archive holds before anything is written. @throws UsageError, UnreadableBackup, StartRefusal */
async function checked(input: string, open: OpenBackup) {
  const { tables, foreign } = await contentsOf(open);
  const migrations = await migrationsIn(open);
  if (!migrations.includes(PREVIOUS_RELEASE_MIGRATION))
    throw new UsageError(`--input: ${input} can't be restored: ${TOO_OLD}`);
  const later = migrations.filter((name) => !MIGRATION_NAMES.includes(name));
  const hint = later.length === 0 ? "" : `; it takes the release that has ${later.join(", ")}`;
  const difference = differenceInWords({ foreign, changed: [], missing: [] });
  if (difference !== undefined)
    throw new UsageError(`--input: ${input} can't be restored: ${difference}${hint}`);
  const known = migrations.filter((name) => MIGRATION_NAMES.includes(name));
  if (known.some((name, nth) => name !== MIGRATION_NAMES[nth]))
    throw new UsageError(`--input: ${input} can't be restored: its migrations have gaps`);
  return { tables, migrations: known };
}

/** The statements that load the rows, and the tables in the order in which their rows must come. */
async function statementsFor(
  owner: Reader,
  tables: readonly string[],
): Promise<{ readonly loaded: readonly LoadedTable[]; readonly commands: readonly string[] }> {
  const loaded = loadedTables(tables, await columnsIn(owner));
  const names = [...new Set(loaded.map(({ to }) => to))];
  const references = await referencesIn(owner);
  return {
    loaded,
    commands: [
      "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0",
      // The migrations have written a few rows.
      ...names.map((name) => `delete from ${name}`),
      // An archive's tables are in no order that references would allow.
      ...references.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
      ...loaded.map(({ to, columns }) => `copy ${to} (${columns.join(", ")}) from stdin`),
      ...references.map(({ table, name, text }) => `alter table ${table} add constraint ${name} ${text}`),
      ...LOADED,
    ],
  };
}

/** The columns of each table, quoted where PostgreSQL needs that, in the order of an archive. */
async function columnsIn(owner: Reader): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string }>`
    select relname as table, string_agg(quote_ident(attname), ',' order by attnum) as columns
    from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    group by relname`.execute(owner);
  return new Map(rows.map(({ table, columns }) => [table, columns.split(",")]));
}

async function referencesIn(owner: Reader) {
  const { rows } = await sql<{ table: string; name: string; text: string }>`
    select quote_ident(relname) as table, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as text
    from pg_constraint join pg_class on conrelid = pg_class.oid
    where contype = 'f' and relnamespace = current_schema()::regnamespace`.execute(owner);
  return rows;
}
