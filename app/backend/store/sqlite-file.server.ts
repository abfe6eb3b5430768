import Database from "better-sqlite3";
import { Kysely } from "kysely";
import { StartRefusal } from "../start-refusal.server";
import { makeFile } from "./data-directory.server";
import { immediateSqliteDialect } from "./sqlite-dialect.server";
import type { Tables } from "./tables.server";

/** "TARN" in ASCII: marks a SQLite file as the portal's. */
export const APPLICATION_ID = 0x54_41_52_4e;
const BUSY_MS = 250;
/** Room for the pages of an hour's customers and the upper levels of every index. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the portal's file, or makes it.
 * @throws StartRefusal if the file belongs to another program
 */
export function openSqliteFile(file: string): Kysely<Tables> {
  const database = openOwn(file, true);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("temp_store = MEMORY");
  database.pragma(`cache_size = ${-CACHE_KIB}`);
  return over(database);
}

/**
 * Opens a file that exists, as it is: opening changes nothing.
 * @throws StartRefusal if it can't be opened or belongs to another program
 */
export function openSqliteFileAsItIs(file: string): Kysely<Tables> {
  return over(openOwn(file, false));
}

function over(database: Database.Database): Kysely<Tables> {
  database.pragma("foreign_keys = ON");
  return new Kysely<Tables>({ dialect: immediateSqliteDialect(database) });
}

/** A file without tables becomes ours, if it may; one with tables must carry our application id. */
function openOwn(file: string, mayMake: boolean): Database.Database {
  try {
    if (mayMake) makeFile(file);
    const database = new Database(file, { timeout: BUSY_MS, fileMustExist: true });
    if (hasOwnId(database)) return database;
    if (isEmpty(database)) {
      if (mayMake) database.pragma(`application_id = ${APPLICATION_ID}`);
      return database;
    }
    database.close();
  } catch (error) {
    throw new StartRefusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
  throw new StartRefusal(`${file} is not the portal's database: another program created it`);
}

function hasOwnId(database: Database.Database): boolean {
  return database.pragma("application_id", { simple: true }) === APPLICATION_ID;
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare("select count(*) from sqlite_schema").pluck().get() === 0;
}
