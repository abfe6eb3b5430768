import { type Migration, Migrator, sql } from "kysely";
import { LAST_MIGRATION_BEFORE, requireFilled, TOO_OLD } from "../release-before.server";
import type { Reader } from "../store.server";
import { StartRefusal } from "../../start-refusal.server";
import { type InDialect, signIn } from "./0001-sign-in.server";
import { accountFlows } from "./0002-account-flows.server";
import { smsQueue } from "./0003-sms-queue.server";
import { knownBrowsers } from "./0004-known-browsers.server";
import { documents } from "./0005-documents.server";
import { accountSafety } from "./0006-account-safety.server";
import { auditSeals } from "./0007-audit-seals.server";
import { comparedNumbers } from "./0008-compared-numbers.server";
import { factors } from "./0009-factors.server";
import { takeBack } from "./0010-take-back.server";
import { announcements } from "./0011-announcements.server";
import { messages } from "./0012-messages.server";
import { newPhones } from "./0013-new-phones.server";
import { passkeys } from "./0014-passkeys.server";
import { mailQueue } from "./0015-mail-queue.server";
import { factorGuesses } from "./0016-factor-guesses.server";
import { recoveryKept } from "./0017-recovery-kept.server";
import { watchedJobs } from "./0018-watched-jobs.server";
import { findIndexes } from "./0019-find-indexes.server";
import { oneQueue } from "./0020-one-queue.server";
import { passkeySignIn } from "./0021-passkey-sign-in.server";
import { premiums } from "./0022-premiums.server";
import { helpDesk } from "./0023-help-desk.server";
import { deviceBrowsers } from "./0024-device-browsers.server";
import { policyChanges } from "./0025-policy-changes.server";
import { formerQueues } from "./0026-former-queues.server";

/**
 * Every migration by name, in order. The backend is bundled, so there is no folder to scan. Those of the release before
 * and of older ones run on an empty database only.
 */
export function allMigrations(inDialect: InDialect): Record<string, Migration> {
  return {
    "0001-sign-in": signIn(inDialect),
    "0002-account-flows": accountFlows(inDialect),
    "0003-sms-queue": smsQueue(inDialect),
    "0004-known-browsers": knownBrowsers(inDialect),
    "0005-documents": documents(inDialect),
    "0006-account-safety": accountSafety(inDialect),
    "0007-audit-seals": auditSeals(inDialect),
    "0008-compared-numbers": comparedNumbers(inDialect),
    "0009-factors": factors(inDialect),
    "0010-take-back": takeBack(inDialect),
    "0011-announcements": announcements(inDialect),
    "0012-messages": messages(inDialect),
    "0013-new-phones": newPhones(inDialect),
    "0014-passkeys": passkeys(inDialect),
    "0015-mail-queue": mailQueue(inDialect),
    "0016-factor-guesses": factorGuesses(inDialect),
    "0017-recovery-kept": recoveryKept(inDialect),
    "0018-watched-jobs": watchedJobs(inDialect),
    "0019-find-indexes": findIndexes(inDialect),
    "0020-one-queue": oneQueue(inDialect),
    "0021-passkey-sign-in": passkeySignIn(inDialect),
    "0022-premiums": premiums(inDialect),
    "0023-help-desk": helpDesk(inDialect),
    "0024-device-browsers": deviceBrowsers(inDialect),
    "0025-policy-changes": policyChanges(inDialect),
    "0026-former-queues": formerQueues(),
  };
}

const ANY_DIALECT = Object.assign((statement: string) => statement, {
  isPostgres: false,
  idsOfPolicies: [],
  sequenceOfAudit: [],
});

export const MIGRATION_NAMES: readonly string[] = Object.keys(allMigrations(ANY_DIALECT)).sort();

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
export const NEEDED_FACT = "needed-migration";

/** How the tables compare with what this version of the portal needs. */
export type TablesState =
  | { readonly kind: "current" }
  /** These migrations have not run; all of them if there are no tables yet. */
  | { readonly kind: "behind"; readonly missing: readonly string[] }
  /** The tables are of a release before the release before. */
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
  if (!done.includes(LAST_MIGRATION_BEFORE)) return { kind: "too-old" };
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

/** The names of the migrations that have run, in order; those of later releases, too. */
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
