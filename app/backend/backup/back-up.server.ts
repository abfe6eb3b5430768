import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { Encrypter } from "age-encryption";
import { auditSettings } from "~/platform/config/audit-settings.server";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { syncPath, writeDurably } from "~/platform/files/durable-files.server";
import { reasonOf, StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { systemClock } from "~/platform/time.server";
import { archivesOf, DRAFT } from "../audit/archives.server";
import { noteSuccess } from "../jobs/job-successes.server";
import type { RootKey } from "../secrets/keyring.server";
import { DATABASE_FILE, makeFile, tryLock } from "../store/data-directory.server";
import { MIGRATION_NAMES, migrationsToRun } from "../store/migrations/run.server";
import { portalDatabase } from "../store/portal-database.server";
import { NOT_ALLOWED, StatementRefused } from "../store/postgres-pool.server";
import { openAsItIs } from "../store/table-upkeep.server";
import { encrypterFor, encryptTo } from "./age-files.server";
import { backupName, deleteOld, holdBackupFolder, newestBackup } from "./backup-folder.server";
import { backupMacKey, MAC, macFileOf, newBackupMac } from "./backup-mac.server";
import { copyDatabase, deleteDatabase, problemOf } from "./database-copy.server";
import { keepArchives } from "./kept-archives.server";
import { dumpDatabase } from "./postgres-tools.server";

/** The settings and keys of backups. */
export interface BackupPlan {
  readonly database: DatabaseSettings;
  readonly settings: Environment;
  readonly encrypter: Encrypter;
  readonly macKey: RootKey;
  readonly folder: string;
}

/** A backup that was made. */
export interface MadeBackup {
  readonly database: DatabaseSettings["kind"];
  readonly file: string;
  readonly bytes: number;
  /** The names of older files that were deleted. */
  readonly deleted: readonly string[];
  /** How many archives of the audit belong to the backup. */
  readonly archives: number;
  /** Other things that went wrong. The backup itself is complete. */
  readonly problems: readonly string[];
}

/** Reads the settings and keys of backups. @throws UsageError, StartRefusal if one is missing or wrong */
export async function planBackup(): Promise<BackupPlan> {
  const settings = environment();
  const { BACKUP_DIR, BACKUP_RECIPIENTS } = settings;
  const database = portalDatabase();
  if (BACKUP_DIR === undefined) throw new UsageError("BACKUP_DIR: expected a folder for backups");
  if (BACKUP_RECIPIENTS === undefined)
    throw new UsageError("BACKUP_RECIPIENTS: expected a public key; portal backup-key makes a pair");
  const encrypter = await encrypterFor(BACKUP_RECIPIENTS);
  return { database, settings, folder: BACKUP_DIR, encrypter, macKey: backupMacKey() };
}

/** Milliseconds until the newest backup is `maxAgeMs` old: at most 0 if a backup is due. */
export function untilDue({ folder }: BackupPlan, maxAgeMs: number): number {
  const now = systemClock();
  return (newestBackup(folder, now)?.madeAt ?? -Infinity) + maxAgeMs - now;
}

/**
 * Backs up the database and the archives of the audit, encrypted, and deletes old backups. Portals may run.
 * @throws UsageError if the folder is missing; StartRefusal if there is no database, or another backup is being made
 */
export async function backUp(plan: BackupPlan, onProgress: (text: string) => void): Promise<MadeBackup> {
  const { settings, database, encrypter, macKey } = plan;
  const { folder, release } = holdBackupFolder(plan.folder);
  const { DATA_DIR, BACKUP_KEEP_DAYS } = settings;
  const now = systemClock();
  const file = join(folder, backupName(database.kind, now));
  try {
    const keeping = { archives: auditSettings(settings).folder, folder, encrypter, now };
    // Keep archives before and after the copy, which may name an archive that is replaced or made meanwhile.
    const before = await keepArchives(keeping, []);
    const mac = newBackupMac(macKey, now);
    await makeWhole(
      file,
      (draft) => copyOf(database, DATA_DIR, onProgress, (plain) => encryptTo(draft, encrypter, plain, mac)),
      () => macFileOf(macKey, now, mac),
    );
    const { kept, missing } = await keepArchives(keeping, await namedArchives(database, DATA_DIR));
    const { size: bytes } = statSync(file);
    const deleted = deleteOld(folder, BACKUP_KEEP_DAYS, now);
    const lost = `archived months of the audit are neither in ${keeping.archives} nor among the backups: ${missing.join(", ")}`;
    const problems = [
      ...(missing.length === 0 ? [] : [lost]),
      ...(await noteBackup(database, DATA_DIR, now)),
    ];
    const archives = new Set([...before.kept, ...kept]).size;
    return { database: database.kind, file, bytes, deleted, archives, problems };
  } finally {
    release();
  }
}

/** The archives that the database names now. */
async function namedArchives(database: DatabaseSettings, dataDir: string): Promise<readonly string[]> {
  const db = openAsItIs(database, dataDir);
  try {
    return (await archivesOf(db)).map((archive) => archive.file);
  } finally {
    await db.destroy();
  }
}

/** Notes the backup in the database, for portals to show. @returns the problem, if that can't be done */
async function noteBackup(
  database: DatabaseSettings,
  dataDir: string,
  madeAt: number,
): Promise<readonly string[]> {
  const db = openAsItIs(database, dataDir);
  try {
    await noteSuccess(db, "backup", madeAt);
    return [];
  } catch (error) {
    const isForbidden = error instanceof StatementRefused && error.code === NOT_ALLOWED;
    const remedy = "let the role in DATABASE_URL select, insert and update job_successes";
    return [`portals don't know of this backup: ${isForbidden ? remedy : reasonOf(error)}`];
  } finally {
    await db.destroy();
  }
}

async function copyOf(
  database: DatabaseSettings,
  dataDir: string,
  onProgress: (text: string) => void,
  take: (plain: Readable) => Promise<void>,
): Promise<void> {
  if (database.kind === "sqlite") return copySqlite(dataDir, onProgress, take);
  const db = openAsItIs(database, dataDir);
  // Otherwise copies of an empty database would eventually replace all good backups.
  let missing;
  try {
    missing = await migrationsToRun(db);
  } finally {
    await db.destroy();
  }
  if (missing.length === MIGRATION_NAMES.length)
    throw new StartRefusal("DATABASE_URL holds no database of a portal");
  await dumpDatabase(database, take);
}

/**
 * Copies the database while the portal runs, checks the copy and passes it to `take`. The copy is made beside the
 * database, deleted, and only then read through its open handle: so no readable copy is ever elsewhere, and the next
 * run deletes the leftovers of an interrupted one.
 * @throws StartRefusal if there is no database, or another process is copying it
 */
async function copySqlite(
  dataDir: string,
  onProgress: (text: string) => void,
  take: (copy: Readable) => Promise<void>,
): Promise<void> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  const lock = join(dataDir, "backup.lock");
  makeFile(lock);
  const release = tryLock(lock);
  if (!release) throw new StartRefusal(`another backup of ${file} is being made`);
  const copy = `${file}.backing-up`;
  try {
    await copyDatabase(file, copy, ({ pages, total }) => onProgress(`${pages} of ${total} pages`));
    const problem = await problemOf(copy);
    if (problem !== undefined) throw new Error(`the copy of ${file} is useless: ${problem}`);
    const handle = await open(copy);
    deleteDatabase(copy);
    try {
      await take(handle.createReadStream({ autoClose: false }));
    } finally {
      await handle.close();
    }
  } finally {
    deleteDatabase(copy);
    release();
  }
}

/** Makes a backup and then its MAC. The backup appears last, so that it is complete and has one, or isn't there at all. */
async function makeWhole(
  file: string,
  write: (draft: string) => Promise<void>,
  macFile: () => string,
): Promise<void> {
  const draft = `${file}${DRAFT}`;
  try {
    await write(draft);
    writeDurably(`${file}${MAC}`, macFile());
    renameSync(draft, file);
  } catch (error) {
    for (const half of [draft, `${file}${MAC}`]) rmSync(half, { force: true });
    throw error;
  }
  syncPath(dirname(file));
}
