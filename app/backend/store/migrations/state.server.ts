import { sql, type Kysely } from "kysely";
import { StartRefusal } from "../../start-refusal.server";
import { isPostgres } from "../dialect.server";
import type { Tables } from "../tables.server";
import { MIGRATION_NAMES } from "./all.server";

/** Kysely's own table has a row for each migration that has run. */
const DONE = "kysely_migration";

/** The portal's migrations that have not run yet. @throws Error if the migration table is missing */
export async function missingMigrations(db: Kysely<Tables>): Promise<string[]> {
  const done = new Set(await doneMigrations(db));
  return MIGRATION_NAMES.filter((name) => !done.has(name));
}

/**
 * The same, also for a database without tables.
 * @throws StartRefusal if a later version of the portal has changed the tables
 */
export async function migrationsToRun(db: Kysely<Tables>): Promise<readonly string[]> {
  if (!(await hasBegun(db))) return MIGRATION_NAMES;
  const later = (await doneMigrations(db)).find((name) => !MIGRATION_NAMES.includes(name));
  if (later !== undefined)
    throw new StartRefusal(
      `a later version of the portal has changed the database: it has migration ${later}`,
    );
  return missingMigrations(db);
}

async function doneMigrations(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.withTables<{ [DONE]: { name: string } }>().selectFrom(DONE).select("name").execute();
  return rows.map(({ name }) => name);
}

/** Whether there is such a table, on PostgreSQL in the schema that new tables go to. */
async function hasBegun(db: Kysely<Tables>): Promise<boolean> {
  const found = isPostgres(db)
    ? sql`select from pg_tables where schemaname = current_schema() and tablename = ${DONE}`
    : sql`select 1 from sqlite_schema where name = ${DONE}`;
  return (await found.execute(db)).rows.length > 0;
}
