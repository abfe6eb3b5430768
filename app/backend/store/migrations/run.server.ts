import { Migrator, type Migration } from "kysely";
import type { Reader } from "../store.server";
import { NEEDED_MIGRATION } from "./all.server";
import { NEEDED_FACT, migrationsToRun } from "./state.server";

type Migrations = Readonly<Record<string, Migration>>;

/**
 * Runs the missing migrations and returns their names.
 * @param schema where Kysely keeps its own tables; PostgreSQL only
 * @throws StartRefusal if a later version has changed the tables, and whatever a migration throws
 */
export async function runMigrations(
  db: Reader,
  migrations: Migrations,
  schema?: string,
): Promise<readonly string[]> {
  const ran = (await migrationsToRun(db)).length === 0 ? [] : await migrate(db, migrations, schema);
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
  const missing = await migrationsToRun(db);
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
