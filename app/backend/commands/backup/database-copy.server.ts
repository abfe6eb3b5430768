import { rmSync } from "node:fs";
import { StartRefusal } from "../../start-refusal.server";
import { makeFile } from "../../store/data-directory.server";
import { MIGRATION_NAMES, migrationsToRun } from "../../store/migrations/run.server";
import { SqliteConnection } from "../../store/sqlite-connection.server";
import { APPLICATION_ID, openSqliteFileAsItIs } from "../../store/sqlite-store.server";

/** How many pages are copied at once: a few megabytes, so that progress shows. */
const PAGES = 2000;
/** The files that SQLite makes beside a database. Only their names tie them to it. */
const BESIDE = ["-journal", "-wal", "-shm"] as const;

/** How far a copy is, in pages. */
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
    // An open read pins the moment: otherwise every write by others would restart the copy.
    source.exec("begin; select count(*) from sqlite_schema");
    await source.backup(copy, PAGES, ({ totalPages, remainingPages }) => {
      onProgress({ pages: totalPages - remainingPages, total: totalPages });
    });
  } finally {
    source.close();
  }
  const copied = new SqliteConnection(copy);
  try {
    // Merge the log into the file: when only the file is moved, the log would be left behind.
    copied.exec("pragma journal_mode = delete");
  } finally {
    copied.close();
  }
}

/** Deletes a database with the files beside it. */
export function deleteDatabase(file: string): void {
  for (const suffix of ["", ...BESIDE]) rmSync(`${file}${suffix}`, { force: true });
}

/** The files beside a database. */
export function besideDatabase(file: string): readonly string[] {
  return BESIDE.map((suffix) => `${file}${suffix}`);
}

/** What is wrong with a file; undefined if it is a complete database of the portal that this release can work on. */
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
