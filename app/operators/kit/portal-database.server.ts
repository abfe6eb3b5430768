import { sql } from "kysely";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  databaseSettings,
  type DatabaseSettings,
  type PostgresSettings,
} from "~/platform/config/database-settings.server";
import type { DatabaseAddress } from "~/platform/config/database-variables.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { MINUTE } from "~/platform/time.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { type Keyring, makeKeyring } from "~/backend/secrets/keyring.server";
import { StartRefusal } from "~/backend/start-refusal.server";
import { DATABASE_FILE } from "~/backend/store/data-directory.server";
import {
  checkKeys,
  checkKeysReadOnly,
  checkMode,
  checkModeReadOnly,
  hasKeyCheck,
} from "~/backend/store/key-check.server";
import { openDatabase } from "~/backend/store/open-database.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";
import { openAsItIs } from "~/backend/store/table-upkeep.server";
import { UsageError } from "./command.server";

const QUERY_MS = 60 * MINUTE;

type DatabaseWork<Value> = (store: Store, keyring: Keyring) => Promise<Value>;

/**
 * Opens the portal's database with the portal's settings and keys. The portal may be running.
 * @throws StartRefusal if there is no database or the keys don't belong to it
 */
export function withPortalDatabase<Value>(work: DatabaseWork<Value>): Promise<Value> {
  return withDatabase(() => undefined, checkPortal, work);
}

/**
 * Like `withPortalDatabase`, as the owner of the tables, who may also change the audit (`MIGRATION_DATABASE_URL`, if
 * set).
 * @throws StartRefusal
 */
export function withOwnDatabase<Value>(work: DatabaseWork<Value>): Promise<Value> {
  return withDatabase(({ migrationAddress }) => migrationAddress, checkPortal, work);
}

/**
 * Like `withPortalDatabase`, for a role that may only read and seal the audit (`AUDIT_DATABASE_ROLE`). @throws
 * StartRefusal
 */
export function withAuditDatabase<Value>(work: DatabaseWork<Value>): Promise<Value> {
  return withDatabase(() => undefined, checkKeysReadOnly, work);
}

/** The settings of the portal's database. @throws UsageError if an attached backend keeps the data */
export function portalDatabase(): DatabaseSettings {
  if (environment().BACKEND_URL !== undefined)
    throw new UsageError(
      "BACKEND_URL is set: the attached backend keeps the data, so there is no database here",
    );
  return commandDatabase(environment());
}

/** Like `portalDatabase`, without the check. Connections are named so that they don't look like a serving portal's. */
export function commandDatabase(settings: Environment): DatabaseSettings {
  const database = databaseSettings(settings);
  return database.kind === "postgres" ? { ...database, connectionName: "portal command" } : database;
}

/** The portal's keys; a demo has them in a file. @throws StartRefusal if there are none */
export function portalKeyring(): Keyring {
  const { DATA_DIR, DATA_KEYS } = environment();
  return DATA_KEYS ? makeKeyring(DATA_KEYS) : readOrMakeKeyFile(join(DATA_DIR, KEY_FILE), true);
}

/**
 * Makes the keys of a demo on SQLite that has none yet, as its first start does, so that commands work before it. On
 * PostgreSQL another machine may have made the tables, so the keys would be in the wrong place.
 */
export async function makeDemoKeys(): Promise<void> {
  const { PORTAL_MODE, DATA_DIR, DATA_KEYS } = environment();
  const database = portalDatabase();
  if (PORTAL_MODE !== "demo" || DATA_KEYS !== undefined || database.kind !== "sqlite") return;
  const read = openAsItIs(database, DATA_DIR);
  try {
    if (!(await hasKeyCheck({ read }))) readOrMakeKeyFile(join(DATA_DIR, KEY_FILE), false);
  } finally {
    await read.destroy();
  }
}

/** @param addressIn the address to use instead of the portal's, on PostgreSQL */
async function withDatabase<Value>(
  addressIn: (settings: PostgresSettings) => DatabaseAddress | undefined,
  check: DatabaseWork<void>,
  work: DatabaseWork<Value>,
): Promise<Value> {
  const database = portalDatabase();
  const { store, keyring } = await openChecked(
    database.kind === "postgres"
      ? { ...database, ...patient(database), address: addressIn(database) ?? database.address }
      : database,
    check,
  );
  try {
    return await work(store, keyring);
  } finally {
    await store.close();
  }
}

/** A portal's database beside the portal: its store and its keys. */
export interface SharedDatabase {
  readonly store: Store;
  readonly keyring: Keyring;
}

/**
 * Opens the portal's database for a process that serves people, within the time limits of a portal's queries. The
 * portal may be running.
 * @throws StartRefusal if there is no database or the keys don't belong to it; UsageError if an attached backend keeps
 * the data
 */
export function openPortalDatabase(connectionName: string): Promise<SharedDatabase> {
  const database = portalDatabase();
  return openChecked(
    database.kind === "postgres" ? { ...database, connectionName } : database,
    checkWithoutWriting,
  );
}

async function openChecked(database: DatabaseSettings, check: DatabaseWork<void>): Promise<SharedDatabase> {
  const store = await openShared(database, environment().DATA_DIR);
  try {
    const keyring = portalKeyring();
    await check(store, keyring);
    return { store, keyring };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** No customer waits for a command, so its queries may be slow. But it must not keep customers waiting for a lock. */
function patient({ statements }: PostgresSettings): Pick<PostgresSettings, "statements"> {
  return { statements: statements && { ...statements, queryMs: QUERY_MS } };
}

/** Checks that the database belongs to this portal. @throws StartRefusal if its mode or keys are different */
export async function checkPortal(store: Store, keyring: Keyring): Promise<void> {
  await checkMode(store, environment().PORTAL_MODE);
  await checkKeys(store, keyring);
}

/** The same for a role that may not write what a portal notes of its mode and keys. @throws StartRefusal */
async function checkWithoutWriting(store: Store, keyring: Keyring): Promise<void> {
  await checkModeReadOnly(store, environment().PORTAL_MODE);
  await checkKeysReadOnly(store, keyring);
}

/** The portal locks its data directory but not the SQLite file, so a second process can write to the file. */
async function openShared(database: DatabaseSettings, dataDir: string): Promise<Store> {
  if (database.kind === "postgres") return openDatabase(database, dataDir, () => undefined);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  const store = await openSqliteStore(file);
  // Overwrites deleted data, for example a document that was taken back.
  await sql`pragma secure_delete = on`.execute(store.read);
  return store;
}
