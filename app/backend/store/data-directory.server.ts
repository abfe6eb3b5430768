import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { SqliteConnection, isBusy, sqliteCodeOf } from "./sqlite-connection.server";

/** The name of the SQLite file in the data directory. */
export const DATABASE_FILE = "portal.db";

const LOCK_FILE = "lock";
/**
 * How long to wait for the lock: `isDataDirectoryHeld` takes it for a moment, which must not keep a portal from
 * starting.
 */
const MOMENT_MS = 100;

/** The folder with the embedded backend's files, locked by this process. */
interface DataDirectory {
  readonly databaseFile: string;
  /** Lets another process take the folder. */
  release(): void;
}

/**
 * Creates the folder, for its owner only, and locks it. SQLite takes the lock from the operating system, so it ends
 * with the process, whatever happens, and there is never a stale lock to clean up.
 * @throws StartRefusal if another process holds the folder, or it can't be used
 */
export function holdDataDirectory(folder: string): DataDirectory {
  makeFolder(folder);
  const release = lockIn(folder);
  return {
    databaseFile: join(folder, DATABASE_FILE),
    release,
  };
}

function lockIn(folder: string): () => void {
  const file = join(folder, LOCK_FILE);
  makeFile(file);
  let release: ReturnType<typeof tryLock>;
  try {
    release = tryLock(file);
  } catch (error) {
    const reason =
      sqliteCodeOf(error) === "SQLITE_NOTADB"
        ? `its file "${LOCK_FILE}" does not belong to the portal`
        : (error as Error).message;
    throw new StartRefusal(`the data directory ${folder} cannot be locked: ${reason}`);
  }
  if (!release) throw new StartRefusal(`the data directory ${folder} is in use by another process`);
  return release;
}

/**
 * Locks a lock file.
 * @returns a function that releases it; undefined if another process holds it
 * @throws Error if the file belongs to another program
 */
export function tryLock(file: string): (() => void) | undefined {
  const lock = new SqliteConnection(file, { waitMs: MOMENT_MS });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => {
    lock.close();
  };
}

/** Whether a process holds the folder: a portal that is serving or starting. */
export function isDataDirectoryHeld(folder: string): boolean {
  const lockFile = join(folder, LOCK_FILE);
  if (!existsSync(lockFile)) return false;
  const lock = new SqliteConnection(lockFile, { mode: "ro", waitMs: 0 });
  try {
    lock.value("select 1 from sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/** Creates an empty file that only its owner can read, unless it exists. @throws StartRefusal */
export function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new StartRefusal(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Creates the folder, for its owner only, unless it exists. @throws StartRefusal */
export function makeFolder(folder: string): void {
  try {
    makeFolders(resolve(folder));
  } catch (error) {
    throw new StartRefusal(`the data directory ${folder} cannot be created: ${(error as Error).message}`);
  }
}

/** Node's own `recursive` never ends below /proc, where a folder can be missing and impossible to create. */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!isFolder(folder)) throw error;
  }
}

/** @throws Error if the path is something else */
function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error("it is not a folder");
  return found !== undefined;
}
