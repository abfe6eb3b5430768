import { existsSync, linkSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { syncPath } from "../../durable-files.server";
import { StartRefusal } from "../../start-refusal.server";
import { isBusy } from "../../store/sqlite-dialect.server";
import { besideDatabase } from "./database-copy.server";

/**
 * Puts a database in the place of another, in a data directory that this process holds. The old one stays beside it. At
 * any moment there is one of the two, whole.
 * @returns the name of the old one; undefined if there was none
 * @throws StartRefusal if a command is using the old one
 */
export function replaceDatabase(file: string, replacement: string, now: number): string | undefined {
  const [left] = besideDatabase(replacement).filter((each) => existsSync(each));
  if (left !== undefined) throw new Error(`${left} still holds a part of the database`);
  const kept = `${file}.before-${new Date(now).toISOString().replaceAll(":", "")}`;
  const isThere = existsSync(file);
  if (isThere) {
    settle(file);
    linkSync(file, kept);
  }
  // Only a damaged database still has them. They would be taken for the new one's.
  for (const [nth, beside] of besideDatabase(file).entries())
    if (existsSync(beside)) renameSync(beside, besideDatabase(kept)[nth] ?? kept);
  renameSync(replacement, file);
  syncPath(dirname(file));
  return isThere ? kept : undefined;
}

/** Brings the log of a database into its file. That takes all of it, so it also finds out whether someone is using it. */
function settle(file: string): void {
  try {
    const database = new Database(file, { timeout: 0 });
    try {
      database.pragma("journal_mode = delete");
    } finally {
      database.close();
    }
  } catch (error) {
    if (isBusy(error)) throw new StartRefusal("a command is using the database: wait until it has ended");
    // A damaged one is kept as it is: that may be why it is replaced.
  }
}
