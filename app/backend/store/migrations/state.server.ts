import type { Kysely } from "kysely";
import { StartRefusal } from "../../start-refusal.server";
import type { Tables } from "../tables.server";
import { MIGRATION_NAMES } from "./all.server";

/** The migrations of this portal that have not run yet. @throws Error when there is no table that says so */
export async function missingMigrations(db: Kysely<Tables>): Promise<string[]> {
  const done = new Set(await doneMigrations(db));
  return MIGRATION_NAMES.filter((name) => !done.has(name));
}

/** @throws StartRefusal when a later version of the portal has changed the tables */
export async function refuseLaterVersion(db: Kysely<Tables>): Promise<void> {
  const later = (await doneMigrations(db)).find((name) => !MIGRATION_NAMES.includes(name));
  if (later !== undefined)
    throw new StartRefusal(`the database is of a later version of the portal: it knows of ${later}`);
}

/** Kysely's own table has one row for each migration that has run. */
async function doneMigrations(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return rows.map(({ name }) => name);
}
