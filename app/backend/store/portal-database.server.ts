import { sql } from "kysely";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  databaseSettings,
  type DatabaseSettings,
  type PostgresSettings,
} from "~/platform/config/database-settings.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { MINUTE } from "~/platform/time.server";
import { KEY_FILE, readOrMakeKeyFile } from "../secrets/key-file.server";
import { type Keyring, makeKeyring } from "../secrets/keyring.server";
import { StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { DATABASE_FILE } from "./data-directory.server";
import { checkKeys, checkKeysReadOnly, checkMode, checkModeReadOnly, hasKeyCheck } from "./key-check.server";
import { openPostgresStore } from "./postgres-store.server";
import { openSqliteStore } from "./sqlite-store.server";
import type { Store } from "./store.server";
import { openAsItIs } from "./table-upkeep.server";

const QUERY_MS = 60 * MINUTE;

type DatabaseWork<Value> = (store: Store, keyring: Keyring) => Promise<Value>;

/**
 * Who works on the portal's database. `owner`: the role that owns the tables, and may also change the audit
 * (`MIGRATION_DATABASE_URL`, if set). `auditor`: may only read and seal the audit (`AUDIT_DATABASE_ROLE`).
 * `help desk`: a process that serves people, within the time limits of a portal's queries.
 */
type Role = "portal" | "owner" | "auditor" | "help desk";

/** Checks that the database belongs to this portal. @throws StartRefusal if its mode or keys are different */
const CHECKS: Readonly<Record<Role, DatabaseWork<void>>> = {
  portal: checkPortal,
  owner: checkPortal,
  auditor: checkKeysReadOnly,
  // It may not write what a portal notes of its mode and keys.
  "help desk": async (store, keyring) => {
    await checkModeReadOnly(store, environment().PORTAL_MODE);
    await checkKeysReadOnly(store, keyring);
  },
};

/** Does work on the portal's database, like `openDatabase`. */
export async function withDatabase<Value>(as: Role, work: DatabaseWork<Value>): Promise<Value> {
  const { store, keyring } = await openDatabase({ as });
  try {
    return await work(store, keyring);
  } finally {
    await store.close();
  }
}

/** A portal's database beside the portal: its store and its keys. */
interface SharedDatabase {
  readonly store: Store;
  readonly keyring: Keyring;
}

/**
 * Opens the portal's database with the portal's settings and keys. The portal may be running.
 * @throws StartRefusal if there is no database or the keys don't belong to it; UsageError if an attached backend keeps
 * the data
 */
export async function openDatabase({ as }: { readonly as: Role }): Promise<SharedDatabase> {
  const database = portalDatabase();
  const settings = database.kind === "postgres" ? settingsOf(as, database) : database;
  const store = await openShared(settings, environment().DATA_DIR);
  try {
    const keyring = portalKeyring();
    await CHECKS[as](store, keyring);
    return { store, keyring };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function settingsOf(as: Role, database: PostgresSettings): PostgresSettings {
  const { statements, address, migrationAddress } = database;
  if (as === "help desk") return { ...database, connectionName: "portal help desk" };
  return {
    ...database,
    address: as === "owner" ? (migrationAddress ?? address) : address,
    // No customer waits for a command, so its queries may be slow. But it must not keep customers waiting for a lock.
    statements: statements && { ...statements, queryMs: QUERY_MS },
  };
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

/** Checks that the database belongs to this portal. @throws StartRefusal if its mode or keys are different */
export async function checkPortal(store: Store, keyring: Keyring): Promise<void> {
  await checkMode(store, environment().PORTAL_MODE);
  await checkKeys(store, keyring);
}

/** The portal locks its data directory but not the SQLite file, so a second process can write to the file. */
async function openShared(database: DatabaseSettings, dataDir: string): Promise<Store> {
  if (database.kind === "postgres") return openPostgresStore(database, () => undefined);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  const store = await openSqliteStore(file);
  // Overwrites deleted data, for example a document that was taken back.
  await sql`pragma secure_delete = on`.execute(store.read);
  return store;
}
