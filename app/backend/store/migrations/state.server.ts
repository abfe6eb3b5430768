import type { Kysely } from "kysely";
import { StartRefusal } from "../../start-refusal.server";
import type { Tables } from "../tables.server";
import { MIGRATION_NAMES } from "./all.server";

/** The portal's migrations that have not run yet. @throws Error if the migration table is missing */
export async function missingMigrations(db: Kysely<Tables>): Promise<string[]> {
  const done = new Set(await doneMigrations(db));
  return MIGRATION_NAMES.filter((name) => !done.has(name));
}

/** @throws StartRefusal if a later version of the portal has changed the tables */
export async function refuseLaterVersion(db: Kysely<Tables>): Promise<void> {
  const later = (await doneMigrations(db)).find((name) => !MIGRATION_NAMES.includes(name));
  if (later !== undefined)
    throw new StartRefusal(
      `a later version of the portal has changed the database: it has migration ${later}`,
    );
}

/** Kysely's own table has a row for each migration that has run. */
async function doneMigrations(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return rows.map(({ name }) => name);
}
