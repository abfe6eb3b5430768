import { tableUpkeep } from "~/backend/store/table-upkeep.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";

/** Makes a database's tables, or brings them up to date, as `portal migrate` does with these variables. */
export async function migrateTables(variables: Readonly<Record<string, string>>): Promise<void> {
  const reading = readEnvironment(variables);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  await tableUpkeep(databaseSettings(reading.environment), reading.environment.DATA_DIR).run();
}
