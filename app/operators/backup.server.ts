import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { Encrypter } from "age-encryption";
import { reasonOf, StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { DATABASE_FILE, makeFile, tryLock } from "~/backend/store/data-directory.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { replaceControls } from "~/platform/terminal-text";
import { HOUR, SECOND, systemClock } from "~/platform/time.server";
import { syncPath, writeDurably } from "~/platform/files/durable-files.server";
import type { RootKey } from "~/backend/secrets/keyring.server";
import { archivesOf, DRAFT } from "~/backend/audit/archives.server";
import { noteSuccess } from "~/backend/jobs/job-successes.server";
import { NOT_ALLOWED, StatementRefused } from "~/backend/store/postgres-pool.server";
import { MIGRATION_NAMES, migrationsToRun } from "~/backend/store/migrations/run.server";
import { openAsItIs } from "~/backend/store/table-upkeep.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  goOn,
  type Output,
  report,
  type Say,
  withProgress,
} from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";
import { portalDatabase } from "~/backend/store/portal-database.server";
import { copyDatabase, deleteDatabase, problemOf } from "~/backend/backup/database-copy.server";
import { encrypterFor, encryptTo } from "~/backend/backup/age-files.server";
import { backupMacKey, MAC, macFileOf, newBackupMac } from "~/backend/backup/backup-mac.server";
import { backupName, deleteOld, holdBackupFolder, newestBackup } from "~/backend/backup/backup-folder.server";
import { keepArchives } from "~/backend/backup/kept-archives.server";
import { dumpDatabase } from "~/backend/backup/postgres-tools.server";

/**
 * Copies the database while the portal runs, checks the copy and passes it to `take`. The copy is made beside the
 * database, deleted, and only then read through its open handle: so no readable copy is ever elsewhere, and the next
 * run deletes the leftovers of an interrupted one.
 * @throws StartRefusal if there is no database, or another process is copying it
 */
export async function copySqlite(
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

/** `backup`. */
export const addBackup: AddCommands = (program, runs) => {
  program
    .command("backup")
    .description(
      "back up the database and the archives of the audit to BACKUP_DIR, encrypted; portals may run",
    )
    .option("--every <seconds>", "go on, until interrupted: make one when the newest is this old", readCount)
    .option("--json", "print what was done as JSON")
    .action(runs(["database", "backups", "keys if set"], backUp));
};

interface BackupOptions {
  readonly every?: number;
  readonly json?: true;
}

interface Plan {
  readonly database: DatabaseSettings;
  readonly settings: Environment;
  readonly encrypter: Encrypter;
  readonly macKey: RootKey;
  readonly folder: string;
}

interface Made {
  readonly file: string;
  readonly bytes: number;
  /** How many archives of the audit belong to the backup. */
  readonly archives: number;
  /** The names of older files that were deleted. */
  readonly deleted: readonly string[];
  /** Other things that went wrong. The backup itself is complete. */
  readonly problems: readonly string[];
}

const KEYS_ELSEWHERE =
  "It doesn't hold the keys (DATA_KEYS, or keys.json of a demo), without which it is worthless: keep them elsewhere";

async function backUp(output: Output, { every, json }: BackupOptions): Promise<ExitCode> {
  const settings = environment();
  const { BACKUP_DIR, BACKUP_RECIPIENTS } = settings;
  const database = portalDatabase();
  if (BACKUP_DIR === undefined) throw new UsageError("BACKUP_DIR: expected a folder for backups");
  if (BACKUP_RECIPIENTS === undefined)
    throw new UsageError("BACKUP_RECIPIENTS: expected a public key; portal backup-key makes a pair");
  const encrypter = await encrypterFor(BACKUP_RECIPIENTS);
  const plan = { database, settings, folder: BACKUP_DIR, encrypter, macKey: backupMacKey() };
  const once = async () => {
    const { problems, ...made } = await withProgress(output.terminal, (say) => makeBackup(plan, say));
    report(output, json, { database: database.kind, ...made }, [KEYS_ELSEWHERE]);
    for (const problem of problems) output.printError(`portal: ${replaceControls(problem)}`);
    return problems.length === 0 ? EXIT.done : EXIT.problem;
  };
  if (every === undefined) return once();
  const pause = every * SECOND;
  const due = () => (newestBackup(BACKUP_DIR, systemClock())?.madeAt ?? -Infinity) + pause - systemClock();
  const round = async () => {
    if (due() <= 0) await once();
    return Math.min(due(), HOUR);
  };
  return goOn(output, "not backed up", round, Math.min(pause, HOUR));
}

async function makeBackup(plan: Plan, say: Say): Promise<Made> {
  const { settings, database, encrypter, macKey, folder: asked } = plan;
  const { folder, release } = holdBackupFolder(asked);
  const { DATA_DIR, BACKUP_KEEP_DAYS } = settings;
  const now = systemClock();
  const file = join(folder, backupName(database.kind, now));
  try {
    const keeping = { archives: auditSettings(settings).folder, folder, encrypter, now };
    // Keep archives before and after the copy, which may name one that is replaced or made meanwhile.
    const before = await keepArchives(keeping, []);
    const mac = newBackupMac(macKey, now);
    await makeWhole(
      file,
      (draft) => copyOf(database, DATA_DIR, say, (plain) => encryptTo(draft, encrypter, plain, mac)),
      () => macFileOf(macKey, now, mac),
    );
    const { kept, missing } = await keepArchives(keeping, await namedArchives(database, DATA_DIR));
    const { size: bytes } = statSync(file);
    const deleted = deleteOld(folder, BACKUP_KEEP_DAYS, now);
    const lost = `archived months of the audit are neither in ${keeping.archives} nor among the backups: ${missing.join(", ")}`;
    const problemOfNote = await noteBackup(database, DATA_DIR, now);
    return {
      ...{ file, bytes, deleted, archives: new Set([...before.kept, ...kept]).size },
      problems: [...(missing.length === 0 ? [] : [lost]), ...problemOfNote],
    };
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
  say: Say,
  take: (plain: Readable) => Promise<void>,
): Promise<void> {
  if (database.kind === "sqlite") return copySqlite(dataDir, say, take);
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
