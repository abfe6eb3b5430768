import { chmodSync } from "node:fs";
import { Kysely, Migrator, PostgresDialect, SqliteDialect } from "kysely";
import { Pool } from "pg";
import { join } from "node:path";
import { allMigrations } from "~/backend/store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { inPostgres } from "~/backend/store/postgres-migrations.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { inSqlite } from "~/backend/store/sqlite-migrations.server";
import type { TestDatabase } from "../../../database";
import type { Place } from "../test-place";

/** Marks a SQLite file as the portal's. */
const APPLICATION_ID = 0x54_41_52_4e;

/** Makes the tables of the previous release, without rows. */
export function makeTablesBefore(place: Parameters<typeof makeTablesUpTo>[0]): Promise<void> {
  return makeTablesUpTo(place, PREVIOUS_RELEASE_MIGRATION);
}

/** Makes the tables as an earlier release did, up to and including this migration. */
export async function makeTablesUpTo(
  place: Pick<Place, "dataDir"> & { readonly on?: Pick<TestDatabase, "url"> },
  migration: string,
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: place.on ? onPostgres(place.on.url) : onSqlite(place.dataDir) });
  const migrations = allMigrations(place.on ? inPostgres : inSqlite);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateTo(migration);
  await db.destroy();
  if (error !== undefined) throw error as Error;
}

/** Makes the change of a later release's migration: here, a new column. */
export async function addLaterMigration(
  place: Place,
  { needed }: { readonly needed: string },
): Promise<void> {
  for (const statement of [
    "insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')",
    `insert into facts (name, value) values ('needed-migration', '${needed}')
      on conflict (name) do update set value = excluded.value`,
    "alter table accounts add column later text",
  ])
    await place.query(statement);
}

function onPostgres(connectionString: string) {
  return new PostgresDialect({ pool: new Pool({ connectionString, max: 1 }) });
}

function onSqlite(dataDir: string) {
  const file = join(dataDir, "portal.db");
  const database = new SqliteConnection(file);
  chmodSync(file, 0o600);
  database.exec(`pragma application_id = ${APPLICATION_ID}`);
  return new SqliteDialect({ database });
}
