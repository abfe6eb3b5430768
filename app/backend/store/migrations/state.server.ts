import { sql } from "kysely";
import { StartRefusal } from "../../start-refusal.server";
import type { Reader } from "../store.server";
import { MIGRATION_NAMES } from "./all.server";

/** Kysely's own table has a row for each migration that has run. */
const DONE = "kysely_migration";
/** The fact that says which migration a portal must know to work on the tables. */
export const NEEDED_FACT = "needed-migration";

/** How the tables compare with what this version of the portal needs. */
export type TablesState =
  | { readonly kind: "current" }
  /** These migrations have not run; all of them if there are no tables yet. */
  | { readonly kind: "behind"; readonly missing: readonly string[] }
  /** A later version removed something that this one uses: the tables need a portal that knows this migration. */
  | { readonly kind: "ahead"; readonly needed: string };

/** Compares the tables with what this version needs. Changes nothing. */
export async function stateOfTables(db: Reader): Promise<TablesState> {
  if (!(await hasBegun(db))) return { kind: "behind", missing: MIGRATION_NAMES };
  const done = await doneMigrations(db);
  const later = done.findLast((name) => !MIGRATION_NAMES.includes(name));
  const needed = later === undefined ? undefined : ((await neededMigration(db)) ?? later);
  if (needed !== undefined && !MIGRATION_NAMES.includes(needed)) return { kind: "ahead", needed };
  const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
  return missing.length > 0 ? { kind: "behind", missing } : { kind: "current" };
}

/**
 * The migrations that have not run yet; all of them for a database without tables.
 * @throws StartRefusal if this version can't work with the tables
 */
export async function migrationsToRun(db: Reader): Promise<readonly string[]> {
  const state = await stateOfTables(db);
  if (state.kind === "ahead") throw new StartRefusal(aheadInWords(state.needed));
  return state.kind === "behind" ? state.missing : [];
}

/** Tells operators that this version is too old for the tables. */
export function aheadInWords(needed: string): string {
  return `a later version of the portal has changed the database: it needs a version with migration ${needed}`;
}

async function doneMigrations(db: Reader): Promise<string[]> {
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
