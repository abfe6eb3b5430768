import type { DatabaseSettings } from "~/platform/database-settings.server";
import { holdDataDirectory } from "./data-directory.server";
import { openPostgresStore } from "./postgres-store.server";
import { openSqliteStore } from "./sqlite-store.server";
import type { Store } from "./store.server";

/**
 * Opens the store, its tables up to date. With SQLite the data directory is this process's alone until it is closed.
 * @param onLost hears of connections that broke while nobody used them
 * @throws StartRefusal, in one line, when it can't be used
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
