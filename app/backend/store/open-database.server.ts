import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { holdDataDirectory } from "./data-directory.server";
import { openPostgresStore } from "./postgres-store.server";
import { openSqliteStore } from "./sqlite-store.server";
import { type Store, failLoudly } from "./store.server";

/**
 * Opens the store. On SQLite it brings the tables up to date, and locks the data directory until the store is closed.
 * On PostgreSQL the tables must be up to date already.
 * @param onLost called when an idle connection breaks
 * @param report called for after-commit actions that fail
 * @throws TablesOutdated if PostgreSQL's tables are not up to date; StartRefusal if the database can't be used
 */
export async function openDatabase(
  settings: DatabaseSettings,
  dataDir: string,
  onLost: (error: unknown) => void,
  report = failLoudly,
): Promise<Store> {
  if (settings.kind === "postgres") return openPostgresStore(settings, onLost, report);
  const directory = holdDataDirectory(dataDir);
  try {
    const store = await openSqliteStore(directory.databaseFile, report);
    return {
      ...store,
      close: async () => {
        await store.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}
