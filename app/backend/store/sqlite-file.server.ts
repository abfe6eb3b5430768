import { Kysely } from "kysely";
import { StartRefusal } from "../start-refusal.server";
import { makeFile } from "./data-directory.server";
import { SqliteConnection, immediateSqliteDialect } from "./sqlite-connection.server";
import type { Reader } from "./store.server";
import type { Tables } from "./tables.server";

/** "TARN" in ASCII: marks a SQLite file as the portal's. */
export const APPLICATION_ID = 0x54_41_52_4e;
const BUSY_MS = 250;
/** Room for the pages of an hour's customers and the upper levels of every index. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the portal's file, or creates it.
 * @throws StartRefusal if the file belongs to another program
 */
export function openSqliteFile(file: string): Reader {
  const database = openOwn(file, true);
  database.exec("pragma journal_mode = wal");
  // Otherwise the package's SQLite would not wait for the disk, and a power cut could undo what a customer was told.
  database.exec("pragma synchronous = full");
  database.exec("pragma temp_store = memory");
  database.exec(`pragma cache_size = ${-CACHE_KIB}`);
  return over(database);
}

/**
 * Opens an existing file without changing anything.
 * @throws StartRefusal if it can't be opened or belongs to another program
 */
export function openSqliteFileAsItIs(file: string): Reader {
  return over(openOwn(file, false));
}

function over(database: SqliteConnection): Reader {
  database.exec("pragma foreign_keys = on");
  const db = new Kysely<Tables>({ dialect: immediateSqliteDialect(database) });
  return Object.assign(db, { isPostgres: false });
}

/** A file with tables must carry our application id. A file without tables becomes ours if `mayMake`. */
function openOwn(file: string, mayMake: boolean): SqliteConnection {
  try {
    if (mayMake) makeFile(file);
    const database = new SqliteConnection(file, { mode: "rw", waitMs: BUSY_MS });
    if (hasOwnId(database)) return database;
    if (isEmpty(database)) {
      if (mayMake) database.exec(`pragma application_id = ${APPLICATION_ID}`);
      return database;
    }
    database.close();
  } catch (error) {
    throw new StartRefusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
  throw new StartRefusal(`${file} is not the portal's database: another program created it`);
}

function hasOwnId(database: SqliteConnection): boolean {
  return database.value("pragma application_id") === APPLICATION_ID;
}

function isEmpty(database: SqliteConnection): boolean {
  return database.value("select count(*) from sqlite_schema") === 0;
}
