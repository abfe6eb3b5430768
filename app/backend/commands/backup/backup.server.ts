import { renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { Encrypter } from "age-encryption";
import { auditSettings } from "~/platform/config/audit-settings.server";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { HOUR, SECOND, systemClock } from "../../clock.server";
import { syncPath } from "../../durable-files.server";
import { StartRefusal } from "../../start-refusal.server";
import { MIGRATION_NAMES } from "../../store/migrations/all.server";
import { migrationsToRun } from "../../store/migrations/state.server";
import { openAsItIs } from "../../store/table-upkeep.server";
import { counted } from "../kit/counted.server";
import { EXIT, Nonsense, type ExitCode } from "../kit/exit-code.server";
import { goOn } from "../kit/go-on.server";
import { readCount } from "../kit/moment.server";
import { report, type Output } from "../kit/output.server";
import { portalDatabase } from "../kit/portal-database.server";
import { showProgress } from "../kit/progress.server";
import type { AddCommands } from "../kit/runs.server";
import { encrypterFor, encryptTo } from "./age-files.server";
import { backupName, deleteOld, DRAFT, holdBackupFolder, newestBackup } from "./backup-folder.server";
import { writeBackupMetrics } from "./backup-metrics.server";
import { keepArchives } from "./kept-archives.server";
import { dumpDatabase } from "./postgres-tools.server";
import { copySqlite } from "./sqlite-backup.server";

/** `backup`. */
export const addBackup: AddCommands = (program, runs) => {
  program
    .command("backup")
    .description(
      "back up the database and the archives of the audit to BACKUP_DIR, encrypted; portals may run",
    )
    .option("--every <seconds>", "go on, until interrupted: make one when the newest is this old", readCount)
    .option("--json", "print what was done as JSON")
    .action(runs(backUp));
};

interface BackupOptions {
  readonly every?: number;
  readonly json?: true;
}

interface Plan {
  readonly database: DatabaseSettings;
  readonly settings: Environment;
  readonly encrypter: Encrypter;
  readonly folder: string;
}

interface Made {
  readonly file: string;
  readonly bytes: number;
  /** How many archives of the audit belong to it. */
  readonly archives: number;
  /** The names of older files that were deleted. */
  readonly deleted: readonly string[];
}

const KEYS_ELSEWHERE =
  "It doesn't hold the keys (DATA_KEYS, or keys.json of a demo), without which it is worthless: keep them elsewhere";

async function backUp(output: Output, { every, json }: BackupOptions): Promise<ExitCode> {
  const settings = environment();
  const { BACKUP_DIR, BACKUP_RECIPIENTS, BACKUP_KEEP_DAYS } = settings;
  const database = portalDatabase();
  if (BACKUP_DIR === undefined) throw new Nonsense("BACKUP_DIR: expected a folder for backups");
  if (BACKUP_RECIPIENTS === undefined)
    throw new Nonsense("BACKUP_RECIPIENTS: expected a public key; portal backup-key makes a pair");
  const plan = { database, settings, folder: BACKUP_DIR, encrypter: encrypterFor(BACKUP_RECIPIENTS) };
  const once = async () => {
    const made = await makeBackup(plan, output);
    report(output, json, { database: database.kind, ...made }, [
      `Backed up to ${made.file}: ${made.bytes} bytes`,
      `Archived months of the audit: ${made.archives}`,
      `Deleted, as they were older than ${counted(BACKUP_KEEP_DAYS, "day")}: ${counted(made.deleted.length, "file")}`,
      KEYS_ELSEWHERE,
    ]);
  };
  if (every === undefined) {
    await once();
    return EXIT.done;
  }
  const pause = every * SECOND;
  const due = () => (newestBackup(BACKUP_DIR, systemClock())?.madeAt ?? -Infinity) + pause - systemClock();
  const round = async () => {
    if (due() <= 0) await once();
    return Math.min(due(), HOUR);
  };
  return goOn(output, "not backed up", round, Math.min(pause, HOUR));
}

async function makeBackup(
  { settings, database, encrypter, folder: asked }: Plan,
  output: Output,
): Promise<Made> {
  const { folder, release } = holdBackupFolder(asked);
  const now = systemClock();
  const file = join(folder, backupName(database.kind, now));
  let soFar = "";
  const progress = showProgress(output.terminal, () => soFar);
  try {
    // Before and after: an archive that is replaced or made meanwhile may be named by the database's copy.
    const archives = auditSettings(settings).folder;
    const before = await keepArchives(archives, folder, encrypter, now);
    await makeWhole(file, (draft) =>
      copyDatabase(
        database,
        settings.DATA_DIR,
        (text) => (soFar = text),
        (plain) => encryptTo(draft, encrypter, plain),
      ),
    );
    const after = await keepArchives(archives, folder, encrypter, now);
    const { size: bytes } = statSync(file);
    const deleted = deleteOld(folder, settings.BACKUP_KEEP_DAYS, now);
    if (settings.BACKUP_METRICS_FILE !== undefined)
      writeBackupMetrics(settings.BACKUP_METRICS_FILE, { madeAt: now, bytes });
    return { file, bytes, archives: new Set([...before, ...after]).size, deleted };
  } finally {
    progress.end();
    release();
  }
}

async function copyDatabase(
  database: DatabaseSettings,
  dataDir: string,
  onProgress: (text: string) => void,
  take: (plain: Readable) => Promise<void>,
): Promise<void> {
  if (database.kind === "sqlite") return copySqlite(dataDir, onProgress, take);
  const db = openAsItIs(database, dataDir);
  // Otherwise copies of an empty database would in time replace all good ones.
  const missing = await migrationsToRun(db).finally(() => db.destroy());
  if (missing.length === MIGRATION_NAMES.length)
    throw new StartRefusal("DATABASE_URL holds no database of a portal");
  await dumpDatabase(database, take);
}

/** Makes a file that appears whole or not at all. */
async function makeWhole(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}${DRAFT}`;
  try {
    await write(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncPath(dirname(file));
}
