import { rmSync } from "node:fs";
import { makeFile } from "../../store/data-directory.server";
import { MIGRATION_NAMES } from "../../store/migrations/all.server";
import { SqliteConnection } from "../../store/sqlite-connection.server";
import { APPLICATION_ID } from "../../store/sqlite-file.server";

/** Pages copied at once: a few megabytes, so that progress shows. */
const PAGES = 2000;
/** The files that SQLite makes beside a database. They belong to it by their names alone. */
const BESIDE = ["-journal", "-wal", "-shm"] as const;

/** How far a copy is, in pages. */
export interface Copied {
  readonly pages: number;
  readonly total: number;
}

/**
 * Copies a database as it is at one moment, while others write to it. The copy is one file for its owner only, synced
 * to disk.
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
    // An open read keeps the same moment: otherwise every write elsewhere would start the copy over.
    source.exec("begin; select count(*) from sqlite_schema");
    await source.backup(copy, PAGES, ({ totalPages, remainingPages }) => {
      onProgress({ pages: totalPages - remainingPages, total: totalPages });
    });
  } finally {
    source.close();
  }
  const copied = new SqliteConnection(copy);
  try {
    // In one file: what is still in a log would be left behind when only the file is moved.
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

/** What is wrong with a file that should be a whole database of the portal, of this release or an earlier one. */
export function problemOf(file: string): string | undefined {
  const database = new SqliteConnection(file, { mode: "rw" });
  try {
    if (database.value("pragma application_id") !== APPLICATION_ID)
      return "it is not a database of the portal";
    const verdict = database.value("pragma quick_check(1)");
    if (verdict !== "ok") return "it is damaged";
    const later = database
      .rows<{ name: string }>("select name from kysely_migration")
      .find(({ name }) => !MIGRATION_NAMES.includes(name));
    return later && `it is from a later version of the portal: it has migration ${later.name}`;
  } catch (error) {
    return `it is no database, or a damaged one: ${(error as Error).message}`;
  } finally {
    database.close();
  }
}
