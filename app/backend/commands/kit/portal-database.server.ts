import { existsSync } from "node:fs";
import { join } from "node:path";
import { databaseSettings, type DatabaseSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { KEY_FILE, readOrMakeKeyFile } from "../../secrets/key-file.server";
import { makeKeyring, type Keyring } from "../../secrets/keyring.server";
import { StartRefusal } from "../../start-refusal.server";
import { checkKeys } from "../../store/key-check.server";
import { checkMode } from "../../store/mode-check.server";
import { openDatabase } from "../../store/open-database.server";
import { openSqliteStore } from "../../store/sqlite-store.server";
import type { Store } from "../../store/store.server";

/**
 * Opens the portal's database with the portal's settings and keys. The portal may be running.
 * @throws StartRefusal if there is no database or the keys don't belong to it
 */
export function withPortalDatabase<Value>(work: DatabaseWork<Value>): Promise<Value> {
  return withDatabase(databaseSettings(environment()), work);
}

/**
 * The same as the owner of the tables, who may also change the audit: by `MIGRATION_DATABASE_URL`, if it is set.
 * @throws StartRefusal
 */
export function withOwnDatabase<Value>(work: DatabaseWork<Value>): Promise<Value> {
  const database = databaseSettings(environment());
  return withDatabase(
    database.kind === "postgres" && database.migrationAddress
      ? { ...database, address: database.migrationAddress }
      : database,
    work,
  );
}

type DatabaseWork<Value> = (store: Store, keyring: Keyring) => Promise<Value>;

async function withDatabase<Value>(database: DatabaseSettings, work: DatabaseWork<Value>): Promise<Value> {
  const { PORTAL_MODE, DATA_DIR, DATA_KEYS } = environment();
  const store = await openShared(database, DATA_DIR);
  try {
    const keyring = DATA_KEYS ? makeKeyring(DATA_KEYS) : readOrMakeKeyFile(join(DATA_DIR, KEY_FILE), true);
    await checkMode(store, PORTAL_MODE);
    await checkKeys(store, keyring);
    return await work(store, keyring);
  } finally {
    await store.close();
  }
}

/** The portal locks its data directory but not the SQLite file, so a second process can write to the file. */
async function openShared(database: DatabaseSettings, dataDir: string): Promise<Store> {
  if (database.kind === "postgres") return openDatabase(database, dataDir, () => undefined);
  const file = join(dataDir, "portal.db");
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  return openSqliteStore(file);
}
