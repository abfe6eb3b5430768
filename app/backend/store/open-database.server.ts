import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { holdDataDirectory } from "./data-directory.server";
import { openPostgresStore } from "./postgres-store.server";
import { openSqliteStore } from "./sqlite-store.server";
import type { Store } from "./store.server";

/**
 * Opens the store. SQLite's tables are brought up to date, and the data directory stays locked until the store is closed;
 * PostgreSQL's tables must be up to date.
 * @param onLost called when an idle connection breaks
 * @throws TablesOutdated if they are not, and StartRefusal, in one line, if the database can't be used
 */
export async function openDatabase(
  settings: DatabaseSettings,
  dataDir: string,
  onLost: (error: unknown) => void,
): Promise<Store> {
  if (settings.kind === "postgres") return openPostgresStore(settings, onLost);
  const directory = holdDataDirectory(dataDir);
  try {
    const store = await openSqliteStore(directory.databaseFile);
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
