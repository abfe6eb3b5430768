import { environment } from "~/platform/config/environment.server";
import { isExpansion, MIGRATION_NAMES } from "./migrations/run.server";
import { makeDemoKeys, portalDatabase } from "./portal-database.server";
import { tableUpkeep } from "./table-upkeep.server";

/** How a database stands to the migrations of this release. */
export interface MigrationCheck {
  /** The names of migrations that have not run. */
  readonly missing: readonly string[];
  /** Whether the present release can serve after them; undefined if none is missing, or there are no tables yet. */
  readonly presentReleaseCanServe: boolean | undefined;
  /** Policy numbers that differ only in spaces and hyphens, in groups. */
  readonly equalPolicyNos: readonly (readonly string[])[];
}

/** Checks which migrations are missing, without changing anything. Undefined if there is no database. @throws StartRefusal */
export async function checkMigrations(): Promise<MigrationCheck | undefined> {
  const upkeep = portalTables();
  const missing = await upkeep.missing();
  if (missing === undefined) return undefined;
  const hasTables = missing.length < MIGRATION_NAMES.length;
  const equalPolicyNos = hasTables ? await upkeep.equalPolicyNos() : [];
  const presentReleaseCanServe = hasTables && missing.length > 0 ? isExpansion(missing) : undefined;
  return { missing, presentReleaseCanServe, equalPolicyNos };
}

/** Runs the missing migrations in a transaction and rolls it back. @returns their names @throws StartRefusal */
export async function rehearseMigrations(onProgress: (text: string) => void): Promise<readonly string[]> {
  const upkeep = portalTables();
  onProgress(`rehearsing ${((await upkeep.missing()) ?? []).join(", ")}`);
  return upkeep.rehearse();
}

/**
 * Runs the missing migrations as the tables' owner. A demo on SQLite gets its keys, too, as at its first start.
 * @returns their names
 * @throws StartRefusal
 */
export async function migrateDatabase(onProgress: (text: string) => void): Promise<readonly string[]> {
  const upkeep = portalTables();
  onProgress(`running ${((await upkeep.missing()) ?? []).join(", ")}`);
  const ran = await upkeep.run();
  await makeDemoKeys();
  return ran;
}

function portalTables() {
  return tableUpkeep(portalDatabase(), environment().DATA_DIR);
}
