import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeKeyring, type Keyring } from "~/backend/secrets/keyring.server";
import { DATABASE_FILE } from "~/backend/store/data-directory.server";
import { openDatabase } from "~/backend/store/open-database.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";
import { databaseSettings, type DatabaseSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { makeDatabase, type Database } from "../../tests/topology/database";
import { startPortal, withDataDir } from "./portal";
import type { Running } from "./process";

/** The database and keys of a portal under test. */
export interface Home {
  readonly keyring: Keyring;
  /** The variables of a portal, or of a command beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the store: beside the portal if the database allows it, otherwise before it starts. */
  openStore(): Promise<Store>;
  /** Opens the store beside a portal, as an operator's command does. */
  openBeside(): Promise<Store>;
  /** Starts a portal on it; on PostgreSQL, any number of portals. */
  startPortal(env?: Readonly<Record<string, string>>): Promise<Running>;
}

/** Runs the work on a new SQLite database. */
export function onSqlite<Value>(work: (home: Home) => Promise<Value>): Promise<Value> {
  return withDataDir((dataDir) => work(homeIn(dataDir, {})));
}

/** Runs the work on a new PostgreSQL database, on the tests' server. */
export function onPostgres<Value>(work: (home: Home) => Promise<Value>): Promise<Value> {
  return onDatabase(({ url }) => ({ DATABASE_URL: url }), work);
}

/** The same as the tables' owner, who may also seal the audit. */
export function onPostgresAsOwner<Value>(work: (home: Home) => Promise<Value>): Promise<Value> {
  return onDatabase(({ ownerUrl }) => ({ DATABASE_URL: ownerUrl }), work);
}

async function onDatabase<Value>(
  urlsOf: (database: Database) => Readonly<Record<string, string>>,
  work: (home: Home) => Promise<Value>,
): Promise<Value> {
  const database = await makeDatabase();
  const urls = urlsOf(database);
  try {
    return await withDataDir((dataDir) => work(homeIn(dataDir, urls)));
  } finally {
    await database.stop();
  }
}

function homeIn(dataDir: string, urls: Readonly<Record<string, string>>): Home {
  const key = randomBytes(32);
  const env = { ...urls, DATA_DIR: dataDir, DATA_KEYS: `1:${key.toString("base64")}` };
  return {
    keyring: makeKeyring([{ version: 1, key }]),
    env,
    openStore: () => openDatabase(settingsOf(urls), dataDir, () => undefined),
    openBeside: () =>
      urls["DATABASE_URL"] === undefined
        ? openSqliteStore(join(dataDir, DATABASE_FILE))
        : openDatabase(settingsOf(urls), dataDir, () => undefined),
    startPortal: (more) => startPortal(dataDir, { ...env, ...more }),
  };
}

function settingsOf(urls: Readonly<Record<string, string>>): DatabaseSettings {
  const reading = readEnvironment(urls);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return databaseSettings(reading.environment);
}
