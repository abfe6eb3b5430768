import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { DAY } from "~/platform/time.server";
import { syncPath } from "~/platform/files/durable-files.server";
import { DRAFT, isArchiveName } from "../audit/archives.server";
import { StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { makeFile, tryLock } from "../store/data-directory.server";
import { MAC } from "./backup-mac.server";

const LOCK_FILE = "portal-backup.lock";
/** The extension of an encrypted file. */
export const ENCRYPTED = ".age";
const ENDING = { sqlite: ".sqlite.age", postgres: ".pgdump.age" } as const;
const BACKUP = /^portal-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2}\.\d{3})Z\.(?:sqlite|pgdump)\.age$/;

interface Backup {
  readonly name: string;
  /** When it was begun, in ms. */
  readonly madeAt: number;
}

/** The name of a backup that begins now; names sort by time. */
export function backupName(kind: DatabaseSettings["kind"], now: number): string {
  return `portal-${new Date(now).toISOString().replaceAll(":", "")}${ENDING[kind]}`;
}

/**
 * The backups in a folder, oldest first. Our own files appear complete or not at all. An empty one was left by another
 * program, such as a copy onto a full disk, and is none.
 */
function backupsIn(folder: string): readonly Backup[] {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => BACKUP.test(name) && statSync(join(folder, name)).size > 0)
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = BACKUP.exec(name) ?? [];
      const madeAt = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isNaN(madeAt) ? [] : [{ name, madeAt }];
    });
}

/** The newest backup, ignoring any with a time in the future. */
export function newestBackup(folder: string, now: number): Backup | undefined {
  return backupsIn(folder).findLast(({ madeAt }) => madeAt <= now);
}

/**
 * Locks the folder, and deletes the drafts of an interrupted run.
 * @returns the folder, and a function that releases it
 * @throws UsageError if it is not a folder; StartRefusal if another backup is being made in it
 */
export function holdBackupFolder(path: string): { readonly folder: string; readonly release: () => void } {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`BACKUP_DIR: ${folder} is not a folder; is its disk mounted?`);
  const lock = join(folder, LOCK_FILE);
  makeFile(lock);
  const release = tryLock(lock);
  if (!release) throw new StartRefusal(`another backup is being made in ${folder}`);
  try {
    for (const name of readdirSync(folder))
      if (isOwnDraft(name) || isLeftMac(folder, name)) rmSync(join(folder, name));
  } catch (error) {
    release();
    throw error;
  }
  return { folder, release };
}

/**
 * Deletes backups older than `keepDays`, and archives of the audit that no younger backup needed. Keeps the newest
 * backup and all other files.
 * @returns the names of the deleted files
 */
export function deleteOld(folder: string, keepDays: number, now: number): readonly string[] {
  const before = now - keepDays * DAY;
  const backups = backupsIn(folder).slice(0, -1);
  const old = [
    ...backups.filter(({ madeAt }) => madeAt < before).map(({ name }) => name),
    // Each backup sets the modification time of the archives it needs.
    ...readdirSync(folder).filter(
      (name) => isCopyOfArchive(name) && statSync(join(folder, name)).mtimeMs < before,
    ),
  ];
  for (const name of old) {
    rmSync(join(folder, name));
    rmSync(join(folder, `${name}${MAC}`), { force: true });
  }
  if (old.length > 0) syncPath(folder);
  return old;
}

function isOwnDraft(name: string): boolean {
  const whole = name.slice(0, -DRAFT.length);
  return name.endsWith(DRAFT) && (BACKUP.test(whole) || isCopyOfArchive(whole));
}

/** Whether it belongs to a backup that is not there: an interrupted run has made or deleted only one of the two. */
function isLeftMac(folder: string, name: string): boolean {
  const backup = name.slice(0, -MAC.length);
  return name.endsWith(MAC) && BACKUP.test(backup) && !existsSync(join(folder, backup));
}

function isCopyOfArchive(name: string): boolean {
  return name.endsWith(ENCRYPTED) && isArchiveName(name.slice(0, -ENCRYPTED.length));
}
