import { type Migration, Migrator, sql } from "kysely";
import { PREVIOUS_RELEASE_MIGRATION, requireFilled, TOO_OLD } from "../previous-release.server";
import type { Reader } from "../store.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { baseline, type InDialect } from "./baseline.server";
import { formerQueues } from "./0026-former-queues.server";

const nothing = (): Migration => ({ up: () => Promise.resolve() });

/**
 * The names of the migrations whose tables `baseline` makes, apart from the first. They stay, because databases have
 * recorded them and Kysely refuses a name that it doesn't know.
 */
const IN_BASELINE = [
  "0002-account-flows",
  "0003-sms-queue",
  "0004-known-browsers",
  "0005-documents",
  "0006-account-safety",
  "0007-audit-seals",
  "0008-compared-numbers",
  "0009-factors",
  "0010-take-back",
  "0011-announcements",
  "0012-messages",
  "0013-new-phones",
  "0014-passkeys",
  "0015-mail-queue",
  "0016-factor-guesses",
  "0017-recovery-kept",
  "0018-watched-jobs",
  "0019-find-indexes",
  "0020-one-queue",
  "0021-passkey-sign-in",
  "0022-premiums",
  "0023-help-desk",
  "0024-device-browsers",
  "0025-policy-changes",
];

/** Every migration by name, in order. The backend is bundled, so there is no folder to scan. */
const MIGRATIONS: Readonly<Record<string, (inDialect: InDialect) => Migration>> = {
  "0001-sign-in": baseline,
  ...Object.fromEntries(IN_BASELINE.map((name) => [name, nothing])),
  "0026-former-queues": formerQueues,
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export function allMigrations(inDialect: InDialect): Record<string, Migration> {
  return Object.fromEntries(Object.entries(MIGRATIONS).map(([name, make]) => [name, make(inDialect)]));
}

/**
 * The newest migration that removed something earlier releases use. Releases that don't know it refuse the tables. All
 * others can serve on them, so an operator can go back to one (docs/operations/upgrade.md).
 */
export const NEEDED_MIGRATION = "0001-sign-in";

/** Whether a release that knows only the other migrations can serve once these have run: they take nothing away from it. */
export function isExpansion(missing: readonly string[], needed = NEEDED_MIGRATION): boolean {
  return !missing.includes(needed);
}

type Migrations = Readonly<Record<string, Migration>>;

/**
 * Runs the missing migrations and returns their names.
 * @param schema where Kysely keeps its own tables; PostgreSQL only
 * @throws StartRefusal if the tables are of a later release or too old, and whatever a migration throws
 */
export async function runMigrations(
  db: Reader,
  migrations: Migrations,
  schema?: string,
): Promise<readonly string[]> {
  const ran = (await upgradeOf(db)).length === 0 ? [] : await migrate(db, migrations, schema);
  await keepNeeded(db);
  return ran;
}

async function migrate(
  db: Reader,
  migrations: Migrations,
  schema: string | undefined,
): Promise<readonly string[]> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const migrator = new Migrator({
    db,
    provider,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  // Kysely types it as `unknown`, but it is always an Error.
  if (error !== undefined) throw error as Error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * Runs the missing migrations in a transaction, rolls it back, and returns their names.
 * @throws StartRefusal, and whatever a migration throws
 */
export async function rehearseMigrations(db: Reader, migrations: Migrations): Promise<readonly string[]> {
  const missing = await upgradeOf(db);
  const rehearsal = db.transaction().execute(async (tx) => {
    for (const name of missing) await migrations[name]?.up(tx);
    throw new Rehearsed();
  });
  await rehearsal.catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error;
  });
  return missing;
}

/** Thrown to roll back after all migrations ran. */
class Rehearsed extends Error {
  override readonly name = "Rehearsed";
}

/**
 * Records for earlier releases whether they can work on these tables. If an earlier release runs this, nothing changes.
 */
async function keepNeeded(db: Reader): Promise<void> {
  await db
    .insertInto("facts")
    .values({ name: NEEDED_FACT, value: NEEDED_MIGRATION })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: NEEDED_MIGRATION })
        .where("facts.value", "<", NEEDED_MIGRATION),
    )
    .execute();
}

/** Kysely's own table has a row for each migration that has run. */
const DONE = "kysely_migration";
/** The fact that says which migration a portal must know to work on the tables. */
const NEEDED_FACT = "needed-migration";

/** How the tables compare with what this version of the portal needs. */
export type TablesState =
  | { readonly kind: "current" }
  /** These migrations have not run; all of them if there are no tables yet. */
  | { readonly kind: "behind"; readonly missing: readonly string[] }
  /** The tables are older than the previous release's. */
  | { readonly kind: "too-old" }
  /** A later version removed something that this one uses: the tables need a portal that knows this migration. */
  | { readonly kind: "ahead"; readonly needed: string };

/** Compares the tables with what this version needs. Changes nothing. */
export async function stateOfTables(db: Reader): Promise<TablesState> {
  if (!(await hasBegun(db))) return { kind: "behind", missing: MIGRATION_NAMES };
  const done = await doneMigrations(db);
  const later = done.findLast((name) => !MIGRATION_NAMES.includes(name));
  const needed = later === undefined ? undefined : ((await neededMigration(db)) ?? later);
  if (needed !== undefined && !MIGRATION_NAMES.includes(needed)) return { kind: "ahead", needed };
  if (!done.includes(PREVIOUS_RELEASE_MIGRATION)) return { kind: "too-old" };
  const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
  return missing.length > 0 ? { kind: "behind", missing } : { kind: "current" };
}

/**
 * The migrations that have not run yet; all of them for a database without tables.
 * @throws StartRefusal if this version can't work with the tables
 */
export async function migrationsToRun(db: Reader): Promise<readonly string[]> {
  const state = await stateOfTables(db);
  refuseOtherReleases(state);
  return state.kind === "behind" ? state.missing : [];
}

/** As `migrationsToRun`; also refuses to go on before the previous release has done its part. @throws StartRefusal */
export async function upgradeOf(db: Reader): Promise<readonly string[]> {
  const missing = await migrationsToRun(db);
  const isUpgrade = missing.length > 0 && missing.length < MIGRATION_NAMES.length;
  if (isUpgrade) await requireFilled(db);
  return missing;
}

/** @throws StartRefusal if this version can't work with the tables */
export function refuseOtherReleases(state: TablesState): void {
  if (state.kind === "too-old") throw new StartRefusal(TOO_OLD);
  if (state.kind === "ahead")
    throw new StartRefusal(
      `a later version of the portal has changed the database: it needs a version with migration ${state.needed}`,
    );
}

/** The names of the migrations that have run, in order, including migrations of later releases. */
export async function doneMigrations(db: Reader): Promise<string[]> {
  const rows = await db
    .withTables<{ [DONE]: { name: string } }>()
    .selectFrom(DONE)
    .select("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

async function neededMigration(db: Reader): Promise<string | undefined> {
  const fact = await db
    .selectFrom("facts")
    .select("value")
    .where("name", "=", NEEDED_FACT)
    .executeTakeFirst();
  return fact?.value;
}

/** Whether any migration has run; on PostgreSQL, in the schema that new tables go to. */
async function hasBegun(db: Reader): Promise<boolean> {
  const found = db.isPostgres
    ? sql`select from pg_tables where schemaname = current_schema() and tablename = ${DONE}`
    : sql`select 1 from sqlite_schema where name = ${DONE}`;
  return (await found.execute(db)).rows.length > 0;
}
