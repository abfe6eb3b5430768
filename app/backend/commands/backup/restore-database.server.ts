import { chmodSync, copyFileSync, statSync } from "node:fs";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "../../clock.server";
import { syncPath } from "../../durable-files.server";
import type { AuditSource } from "../../services/audit/write-event.server";
import { holdDataDirectory } from "../../store/data-directory.server";
import { openSqliteStore } from "../../store/sqlite-store.server";
import { EXIT, Nonsense, type ExitCode } from "../kit/exit-code.server";
import { auditSource, withOperatorAct, type OperatorAct } from "../kit/operator-act.server";
import { report, type Output } from "../kit/output.server";
import { checkPortal, portalDatabase, portalKeyring, withOwnDatabase } from "../kit/portal-database.server";
import type { AddCommands } from "../kit/runs.server";
import { endEverything, type Ended } from "./end-everything.server";
import { replaceDatabase } from "./replace-database.server";
import { deleteDatabase, partBeside, problemOf } from "./database-copy.server";

/** `restore`. */
export const addRestore: AddCommands = (program, runs) => {
  withOperatorAct(program.command("restore"))
    .description("put a backup in place of the SQLite database, and end all sessions, devices and codes")
    .option("--input <file>", "the backup to put in place; no portal may be running")
    .option("--after-restore", "only end everything: the database was restored with other tools")
    .option("--json", "print what was ended as JSON")
    .action(runs(restore));
};

interface RestoreOptions extends OperatorAct {
  readonly input?: string | undefined;
  readonly afterRestore?: true;
  readonly json?: true;
}

interface Restored {
  readonly ended: Ended;
  /** The file with the database that was replaced. */
  readonly kept?: string | undefined;
}

async function restore(
  output: Output,
  { input, afterRestore, ...options }: RestoreOptions,
): Promise<ExitCode> {
  const source = auditSource(options);
  if ((input === undefined) === (afterRestore === undefined))
    throw new Nonsense("expected one of --input and --after-restore");
  const { ended, kept } = input === undefined ? await endNow(source) : await restoreFile(input, source);
  const counts = Object.entries(ended).map(([table, count]) => `${count} in ${table}`);
  report(output, options.json, { ended, ...(kept !== undefined && { kept }) }, [
    ...(input === undefined ? [] : [`Restored from ${input}`]),
    `Ended: ${counts.join(", ")}`,
    ...(kept === undefined ? [] : [`The database from before is ${kept}: delete it when it is not needed`]),
    "Passwords are those of the backup, and people who were erased since are back: erase them again",
  ]);
  return EXIT.done;
}

async function endNow(source: AuditSource): Promise<Restored> {
  return withOwnDatabase(async (store) => ({ ended: await endEverything(store, source, systemClock()) }));
}

/** Everything is done to a copy, which then replaces the database at once: an interruption leaves one of the two. */
async function restoreFile(input: string, source: AuditSource): Promise<Restored> {
  if (portalDatabase().kind === "postgres")
    throw new Nonsense(
      "--input: on PostgreSQL run pg_restore (portal backup says how), then --after-restore",
    );
  if (!statSync(input, { throwIfNoEntry: false })?.isFile())
    throw new Nonsense(`--input: ${input} is not a file`);
  const part = partBeside(input);
  if (part !== undefined)
    throw new Nonsense(
      `--input: ${part} holds a part of it: copy it with portal backup, or open it with sqlite3 once`,
    );
  const directory = holdDataDirectory(environment().DATA_DIR);
  const draft = `${directory.databaseFile}.restoring`;
  try {
    deleteDatabase(draft);
    copyFileSync(input, draft);
    chmodSync(draft, 0o600);
    const problem = problemOf(draft);
    if (problem !== undefined) throw new Nonsense(`--input: ${input} can't be restored: ${problem}`);
    const now = systemClock();
    const ended = await endIn(draft, source, now);
    syncPath(draft);
    return { ended, kept: replaceDatabase(directory.databaseFile, draft, now) };
  } finally {
    deleteDatabase(draft);
    directory.release();
  }
}

async function endIn(file: string, source: AuditSource, now: number): Promise<Ended> {
  const keyring = portalKeyring();
  const store = await openSqliteStore(file);
  try {
    await checkPortal(store, keyring);
    return await endEverything(store, source, now);
  } finally {
    await store.close();
  }
}
