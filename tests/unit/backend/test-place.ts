import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "~/backend/store/open-database.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { FilledDatabase } from "./store/filled-database";
import { atEndOfFile } from "../../end-of-file";
import { madeOnce } from "../../made-once";
import { migrateTables } from "../../migrate-tables";
import {
  makeBareDatabase,
  makeDatabase,
  settingsOf,
  type DatabaseKind,
  type TestDatabase,
} from "../../database";

/** Where a test backend stores its data. */
export interface Place {
  readonly database: DatabaseSettings;
  readonly dataDir: string;
  /** Set on PostgreSQL. */
  readonly on?: TestDatabase;
  /** Returns the database for another test to use. */
  readonly giveBack?: () => void;
  /** Runs a statement as another process. */
  query(text: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]>;
}

/** A place on SQLite: a data directory, new by default. */
export function placeOnSqlite(dataDir = newDataDir()): Place {
  const file = join(dataDir, "portal.db");
  return {
    database: { kind: "sqlite" },
    dataDir,
    query: (text, ...parameters) => Promise.resolve(queryFile(file, text, parameters)),
  };
}

/** A place on PostgreSQL: a database and a data directory. */
export function placeOnPostgres(
  on: TestDatabase,
  dataDir = newDataDir(),
  database = settingsOf(on.url),
): Place {
  return { database, dataDir, on, query: (text, ...parameters) => on.query(text, ...parameters) };
}

/** The variables of an operator's command on a place. */
export function variablesOf({ dataDir, on }: Place): Record<string, string> {
  return { DATA_DIR: dataDir, ...(on && { DATABASE_URL: on.url }) };
}

/** Makes the tables of a place, or brings them up to date, as an operator does. */
export function migratePlace(place: Place): Promise<void> {
  return migrateTables(variablesOf(place));
}

/** Opens the store of a place that no backend has open. */
export function openStoreAt({ database, dataDir }: Place): Promise<Store> {
  return openDatabase(database, dataDir, () => undefined);
}

/** Opens the store of a place that a backend has open, as an operator's command does. */
export function openStoreBeside(place: Place): Promise<Store> {
  return place.database.kind === "sqlite"
    ? openSqliteStore(join(place.dataDir, "portal.db"))
    : openStoreAt(place);
}

/** Filled databases that no test of this file is using. */
const free: FilledDatabase[] = [];
atEndOfFile("filled databases", () => {
  free.length = 0;
  return Promise.resolve();
});

/** A new place without rows. */
export async function emptyPlace(kind: DatabaseKind): Promise<Place> {
  return kind === "sqlite" ? placeOnSqlite() : placeOnPostgres(await makeDatabase());
}

/** A new place without tables. */
export async function barePlace(kind: DatabaseKind): Promise<Place> {
  return kind === "sqlite" ? placeOnSqlite() : placeOnPostgres(await makeBareDatabase());
}

/** A place on SQLite that was filled and is never opened again, only copied; made by the first test that wants it. */
let filledOnSqlite: (() => Promise<Place>) | undefined;

/** A new place that `fill` has filled: on SQLite a copy; on PostgreSQL perhaps one of an earlier test, now reset. */
export async function filledPlace(kind: DatabaseKind, fill: (place: Place) => Promise<void>): Promise<Place> {
  if (kind === "sqlite") {
    filledOnSqlite ??= madeOnce(() => filledWith(fill));
    const dataDir = newDataDir();
    cpSync((await filledOnSqlite()).dataDir, dataDir, { recursive: true });
    return placeOnSqlite(dataDir);
  }
  const filled = free.pop() ?? (await FilledDatabase.make(fill));
  const dataDir = newDataDir();
  cpSync(filled.dataDir, dataDir, { recursive: true });
  await filled.restore();
  return { ...placeOnPostgres(filled.database, dataDir), giveBack: () => free.push(filled) };
}

async function filledWith(fill: (place: Place) => Promise<void>): Promise<Place> {
  const place = placeOnSqlite();
  await fill(place);
  return place;
}

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 1024 ** 3;
let parent: string | undefined;

/** An empty data directory: in memory where Linux has enough of it, since each commit waits for the disk. */
export function newDataDir(): string {
  parent ??= hasMemory() ? cleanedMemory() : tmpdir();
  return mkdtempSync(join(parent, `portal-backend-${process.pid}-`));
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ENOUGH_BYTES;
}

/** Removes what processes that have ended left there. */
function cleanedMemory(): string {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^portal-backend-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
  return MEMORY;
}

function queryFile(file: string, text: string, parameters: readonly unknown[]): Record<string, unknown>[] {
  const db = new SqliteConnection(file);
  try {
    return db.rows(text, ...parameters);
  } finally {
    db.close();
  }
}
