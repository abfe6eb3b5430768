import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { makeFile } from "../store/data-directory.server";
import { MIGRATION_NAMES, migrationsToRun } from "../store/migrations/run.server";
import { isBusy, SqliteConnection } from "../store/sqlite-connection.server";
import { APPLICATION_ID, openSqliteFileAsItIs } from "../store/sqlite-store.server";
import { syncPath } from "~/platform/files/durable-files.server";

/** How many pages are copied at once: a few megabytes, so that progress shows. */
const PAGES = 2000;
/** The files that SQLite makes beside a database. Only their names tie them to it. */
const BESIDE = ["-journal", "-wal", "-shm"] as const;

/** The progress of a copy, in pages. */
export interface Copied {
  readonly pages: number;
  readonly total: number;
}

/**
 * Copies a database as of one moment, while others write to it. The copy is a single file that only its owner can read,
 * synced to disk.
 */
export async function copyDatabase(
  file: string,
  copy: string,
  onProgress: (copied: Copied) => void,
): Promise<void> {
  deleteDatabase(copy);
  makeFile(copy);
  const source = new SqliteConnection(file, { mode: "rw" });
  try {
    // An open read transaction pins the moment: otherwise every write by others would restart the copy.
    source.exec("begin; select count(*) from sqlite_schema");
    await source.backup(copy, PAGES, ({ totalPages, remainingPages }) => {
      onProgress({ pages: totalPages - remainingPages, total: totalPages });
    });
  } finally {
    source.close();
  }
  const copied = new SqliteConnection(copy);
  try {
    // Merge the log into the file: if only the file were moved, the log would be left behind.
    copied.exec("pragma journal_mode = delete");
  } finally {
    copied.close();
  }
}

/** Deletes a database with the files beside it. */
export function deleteDatabase(file: string): void {
  for (const suffix of ["", ...BESIDE]) rmSync(`${file}${suffix}`, { force: true });
}

/** Where a backup is unpacked and checked before it replaces a database. An interrupted restore leaves it. */
export function restoredDraft(database: string): string {
  return `${database}.restoring`;
}

/** The files beside a database. */
function besideDatabase(file: string): readonly string[] {
  return BESIDE.map((suffix) => `${file}${suffix}`);
}

/** The problem with a file; undefined if it is a complete database of the portal that this release can work on. */
export async function problemOf(file: string): Promise<string | undefined> {
  try {
    return problemOfFile(file) ?? (await problemOfTables(file));
  } catch (error) {
    return `it is no database, or a damaged one: ${(error as Error).message}`;
  }
}

function problemOfFile(file: string): string | undefined {
  const database = new SqliteConnection(file, { mode: "rw" });
  try {
    if (database.value("pragma application_id") !== APPLICATION_ID)
      return "it is not a database of the portal";
    return database.value("pragma quick_check(1)") === "ok" ? undefined : "it is damaged";
  } finally {
    database.close();
  }
}

/** Tables of a later release are fine, unless they record that this release can't use them. */
async function problemOfTables(file: string): Promise<string | undefined> {
  const db = openSqliteFileAsItIs(file);
  try {
    const missing = await migrationsToRun(db);
    return missing.length === MIGRATION_NAMES.length ? "it has no tables" : undefined;
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  } finally {
    await db.destroy();
  }
}

/**
 * Replaces the database in a data directory that this process has locked, and keeps the old one beside it. An
 * interruption leaves one of the two in place, complete.
 * @returns the name of the old one; undefined if there was none
 * @throws StartRefusal if a command is using the old one
 */
export function replaceDatabase(file: string, replacement: string, now: number): string | undefined {
  const [left] = besideDatabase(replacement).filter((each) => existsSync(each));
  if (left !== undefined) throw new Error(`${left} still holds a part of the database`);
  const kept = `${file}.before-${new Date(now).toISOString().replaceAll(":", "")}`;
  const isThere = existsSync(file);
  const letGo = isThere ? takeWhole(file) : undefined;
  try {
    if (isThere) linkSync(file, kept);
    // Only a damaged database still has these files. SQLite would take them for the new one's.
    for (const [nth, beside] of besideDatabase(file).entries())
      if (existsSync(beside)) renameSync(beside, besideDatabase(kept)[nth] ?? kept);
    renameSync(replacement, file);
  } finally {
    letGo?.();
  }
  syncPath(dirname(file));
  return isThere ? kept : undefined;
}

/**
 * Merges a database's log into its file and locks the file, so that no other process writes to it any more.
 * @returns a function that releases it
 * @throws StartRefusal if a command is using it
 */
function takeWhole(file: string): () => void {
  const database = new SqliteConnection(file, { waitMs: 0 });
  const inUse = new StartRefusal("a command is using the database: wait until it has ended");
  try {
    database.exec("pragma journal_mode = delete");
    database.exec("begin exclusive");
    // A command that began between the two statements has made a log again.
    if (database.value("pragma journal_mode") !== "delete") throw inUse;
  } catch (error) {
    database.close();
    if (error === inUse || isBusy(error)) throw inUse;
    // A damaged database is kept as it is; the damage may be why it is replaced.
    return () => undefined;
  }
  return () => {
    database.close();
  };
}
