import { Migrator, sql, type Kysely } from "kysely";
import { StartRefusal } from "../start-refusal.server";
import { allMigrations } from "./migrations/all.server";
import { missingMigrations, refuseLaterVersion } from "./migrations/state.server";
import { StatementRefused } from "./postgres-errors.server";
import type { Tables } from "./tables.server";

/** Whoever migrates takes Kysely's lock; this one is for the grants after it ("TARN" in ASCII). */
const GRANT_LOCK = 0x54_41_52_4e;

/**
 * Brings the tables up to date as their owner, and grants the role that serves what it needs: it never changes tables,
 * and can't change or delete what the audit says (S90, S95). A role that owns the tables itself can't be held to that.
 * @throws StartRefusal when the tables are not up to date afterwards, or are of a later version
 */
export async function bringUpToDate(db: Kysely<Tables>, owner: Kysely<Tables>): Promise<void> {
  const schema = await schemaOf(owner);
  if (await hasRun(owner, schema)) await refuseLaterVersion(owner);
  if (!(await hasRun(owner, schema)) || (await missingMigrations(owner)).length > 0)
    await migrate(owner, schema);
  const [role, ownerRole] = [await roleOf(db), await roleOf(owner)];
  if (role !== ownerRole) await grant(owner, schema, role);
  await refuseUnusable(db);
}

async function migrate(owner: Kysely<Tables>, migrationTableSchema: string): Promise<void> {
  const migrations = allMigrations(inPostgres);
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db: owner, provider, migrationTableSchema }).migrateToLatest();
  if (error === undefined) return;
  // Kysely gives as `unknown` what was thrown: an Error.
  if (!(error instanceof StatementRefused)) throw error as Error;
  throw new StartRefusal(
    error.code === NOT_ALLOWED
      ? "the tables are not up to date, and this role may not change them: set MIGRATION_DATABASE_URL for a role that may"
      : `the tables could not be brought up to date: ${error.message}`,
  );
}

/** "insufficient_privilege" and "undefined_table". */
const [NOT_ALLOWED, NOT_THERE] = ["42501", "42P01"];

/** One grants at a time: PostgreSQL refuses two who change the rights of a table at once. */
async function grant(owner: Kysely<Tables>, schema: string, role: string): Promise<void> {
  const tables = (names: readonly string[]) => sql.join(names.map((name) => sql.id(schema, name)));
  await owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(GRANT_LOCK)})`.execute(tx);
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables
      where schemaname = ${schema} and tableowner = current_user and tablename not like 'kysely%'`.execute(
      tx,
    );
    const changing = rows.map(({ name }) => name).filter((name) => name !== "audit_events");
    await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(tx);
    await sql`grant select on ${tables(["kysely_migration"])} to ${sql.id(role)}`.execute(tx);
    await sql`grant select, insert on ${tables(["audit_events"])} to ${sql.id(role)}`.execute(tx);
    await sql`grant select, insert, update, delete on ${tables(changing)} to ${sql.id(role)}`.execute(tx);
  });
}

/** What the role that serves sees. */
async function refuseUnusable(db: Kysely<Tables>): Promise<void> {
  const reason = await missingMigrations(db).then(
    (missing) => (missing.length > 0 ? `${missing.join(", ")} has not run` : undefined),
    (error: unknown) => {
      if (error instanceof StatementRefused && [NOT_ALLOWED, NOT_THERE].includes(error.code))
        return error.message;
      throw error;
    },
  );
  if (reason !== undefined)
    throw new StartRefusal(`the role of DATABASE_URL does not find the tables up to date: ${reason}`);
}

async function hasRun(db: Kysely<Tables>, schema: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'`.execute(
    db,
  );
  return rows.length > 0;
}

/** The schema that tables are made in, by the search path of the role. */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  const name = rows[0]?.name;
  if (typeof name !== "string") throw new StartRefusal("the database has no schema for the portal's tables");
  return name;
}

async function roleOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db);
  return rows[0]?.name ?? "";
}

/**
 * PostgreSQL is what the migrations are written in. Text is compared byte by byte, as SQLite does: then no index
 * depends on the locale of the machine, whose rules change with its updates.
 */
function inPostgres(createTable: string): string {
  return createTable.replaceAll(/ text\b/g, ' text collate "C"');
}
