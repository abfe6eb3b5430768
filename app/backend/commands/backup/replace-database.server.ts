import { existsSync, linkSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "../../durable-files.server";
import { StartRefusal } from "../../start-refusal.server";
import { SqliteConnection, isBusy } from "../../store/sqlite-connection.server";
import { besideDatabase } from "./database-copy.server";

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
 * Merges a database's log into its file and locks the file, so that nobody writes to it any more.
 * @returns a function that releases it
 * @throws StartRefusal if a command is using it
 */
function takeWhole(file: string): () => void {
  const database = new SqliteConnection(file, { waitMs: 0 });
  const inUse = new StartRefusal("a command is using the database: wait until it has ended");
  try {
    database.exec("pragma journal_mode = delete");
    database.exec("begin exclusive");
    // A command that began between the two has a log again.
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
