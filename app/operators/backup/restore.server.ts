import { sql } from "kysely";
import type { Readable } from "node:stream";
import { createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { dirname } from "node:path";
import { audit, type AuditSource } from "~/backend/audit-event.server";
import { markRestore, RESTORE_MARK, unmarkRestore } from "~/backend/store/require-tables.server";
import type { Reader, Store, Tx } from "~/backend/store/store.server";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { archivesOf } from "~/backend/services/audit/archives.server";
import { reasonOf, StartRefusal } from "~/backend/start-refusal.server";
import { asOwner } from "~/backend/store/postgres-roles.server";
import { isPortalServing } from "~/backend/store/serving-portals.server";
import { tableUpkeep } from "~/backend/store/table-upkeep.server";
import { syncPath } from "~/backend/durable-files.server";
import { holdDataDirectory } from "~/backend/store/data-directory.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { type AddCommands, EXIT, type ExitCode, Nonsense, type Output, report } from "../kit/command.server";
import { checkPortal, portalDatabase, portalKeyring, withOwnDatabase } from "../kit/portal-database.server";
import { auditSource, type OperatorAct, withOperatorAct } from "../kit/operator-act.server";
import { restoreDatabase } from "./postgres-tools.server";
import { deleteDatabase, problemOf, replaceDatabase, restoredDraft } from "./database-copy.server";
import { decryptFrom, readIdentities } from "./age-files.server";
import { type ArchivesBack, bringArchivesBack } from "./kept-archives.server";

/** Tables of everything that was going on in the backup. It may have ended since, and must not come back. */
const GOING_ON = [
  "sessions",
  "trusted_devices",
  "known_browsers",
  "login_passes",
  "codes",
  "sms_queue",
  "mail_queue",
  "outbox",
  "announcements",
] as const;

/** How many of each were ended. */
export type Ended = Readonly<Record<(typeof GOING_ON)[number], number>>;

export interface Restored {
  readonly ended: Ended;
  /** The archives of the audit that the database names. */
  readonly archives: readonly string[];
  /** The file with the database that was replaced. */
  readonly kept?: string | undefined;
}

/**
 * Ends everything that was going on in a restored database, as the owner of the tables, and audits that. Afterwards
 * portals may open the database.
 */
export async function endEverything(store: Store, source: AuditSource, now: number): Promise<Ended> {
  return store.write(async (tx) => {
    if (tx.isPostgres) await moveSequence(tx);
    const ended: Record<string, number> = {};
    for (const table of GOING_ON) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(tx);
      ended[table] = Number(numAffectedRows ?? 0);
    }
    await audit(tx, source, now, { event: "database-restored" });
    if (tx.isPostgres) await unmarkRestore(tx);
    return ended as Ended;
  });
}

/** Tools that restore only rows leave the sequence behind. New events would then get numbers that are already taken. */
async function moveSequence(tx: Tx): Promise<void> {
  await sql`
    select setval('audit_events_seq', taken.last)
    from (select greatest(
        (select max(seq) from audit_events),
        (select max(through_seq) from audit_seals),
        (select max(through_seq) from audit_archives)) as last) as taken, audit_events_seq
    where taken.last > 0 and (taken.last > audit_events_seq.last_value or not audit_events_seq.is_called)`.execute(
    tx,
  );
}

/**
 * Restores into an empty database as the tables' owner, in one transaction, then ends everything that was going on.
 * @throws Nonsense if the database is not empty; UnreadableBackup; StartRefusal, also while a portal is connected
 */
export async function restorePostgres(
  settings: PostgresSettings,
  backup: Readable,
  source: AuditSource,
): Promise<Restored> {
  // Fail early: without the keys the tables would be useless.
  portalKeyring();
  await asOwner(
    settings,
    () => undefined,
    async (owner) => {
      await requireUnused(owner);
      await markRestore(owner);
    },
  );
  await restoreDatabase(settings, backup).catch(async (error: unknown) => {
    // If the database can't be reached, the mark stays: portals wait, and the restore can be run again.
    await asOwner(settings, () => undefined, unmarkRestore).catch(() => undefined);
    throw error;
  });
  try {
    // The backup may be from an earlier release.
    await tableUpkeep(settings, environment().DATA_DIR).run();
    return await withOwnDatabase(async (store) => ({
      ended: await endEverything(store, source, systemClock()),
      archives: (await archivesOf(store.read)).map(({ file }) => file),
    }));
  } catch (error) {
    throw new StartRefusal(
      `the tables are back, but what was going on in them is not ended: ${reasonOf(error)}; before a portal starts, run portal restore --after-restore`,
    );
  }
}

/** Checks that the database is empty and no portal is connected. Ignores the mark of an interrupted restore. */
async function requireUnused(owner: Reader): Promise<void> {
  const { rows } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relname <> ${RESTORE_MARK} limit 1`.execute(
    owner,
  );
  if (rows.length > 0)
    throw new Nonsense("--input: the database is not empty: stop every portal, and make an empty one first");
  if (await isPortalServing(owner, environment().DATA_DIR))
    throw new StartRefusal("a portal is connected to the database: stop every portal first");
}

/**
 * Restores into a draft, which then replaces the database at once: an interruption leaves one of the two.
 * @param input the backup's name, for messages
 * @throws Nonsense if it is no database of this portal; StartRefusal if the database is in use
 */
export async function restoreSqlite(input: string, backup: Readable, source: AuditSource): Promise<Restored> {
  const directory = holdDataDirectory(environment().DATA_DIR);
  const draft = restoredDraft(directory.databaseFile);
  try {
    deleteDatabase(draft);
    await pipeline(backup, createWriteStream(draft, { mode: 0o600 }));
    const problem = await problemOf(draft);
    if (problem !== undefined) throw new Nonsense(`--input: ${input} can't be restored: ${problem}`);
    const now = systemClock();
    const restored = await endIn(draft, source, now);
    syncPath(draft);
    return { ...restored, kept: replaceDatabase(directory.databaseFile, draft, now) };
  } finally {
    deleteDatabase(draft);
    directory.release();
  }
}

async function endIn(file: string, source: AuditSource, now: number): Promise<Restored> {
  const keyring = portalKeyring();
  const store = await openSqliteStore(file);
  try {
    await checkPortal(store, keyring);
    const ended = await endEverything(store, source, now);
    return { ended, archives: (await archivesOf(store.read)).map((archive) => archive.file) };
  } finally {
    await store.close();
  }
}

/** `restore`. */
export const addRestore: AddCommands = (program, runs) => {
  withOperatorAct(program.command("restore"))
    .description("restore a backup, and end all sessions, devices and codes; no portal may be running")
    .option(
      "--input <file>",
      "the backup: on SQLite it replaces the database, on PostgreSQL it goes to an empty one",
    )
    .option("--identity <file>", "the private key that opens it")
    .option("--after-restore", "only end everything: the database was restored with other tools")
    .option("--json", "print what was ended as JSON")
    .action(runs(restore));
};

interface RestoreOptions extends OperatorAct {
  readonly input?: string | undefined;
  readonly identity?: string | undefined;
  readonly afterRestore?: true;
  readonly json?: true;
}

async function restore(
  output: Output,
  { input, identity, afterRestore, ...options }: RestoreOptions,
): Promise<ExitCode> {
  const source = auditSource(options);
  if ((input === undefined) === (afterRestore === undefined))
    throw new Nonsense("expected one of --input and --after-restore");
  if ((input === undefined) !== (identity === undefined))
    throw new Nonsense("expected --identity with --input, the file with the private key");
  if (input === undefined || identity === undefined) return endAfterRestore(output, options, source);

  if (!statSync(input, { throwIfNoEntry: false })?.isFile())
    throw new Nonsense(`--input: ${input} is not a file`);
  const decrypter = await readIdentities(identity);
  const database = portalDatabase();
  const backup = await decryptFrom(input, decrypter);
  const { ended, archives, kept } =
    database.kind === "sqlite"
      ? await restoreSqlite(input, backup, source)
      : await restorePostgres(database, backup, source);
  const folder = auditSettings(environment()).folder;
  const back = await bringArchivesBack(archives, dirname(input), folder, decrypter);
  report(output, options.json, { ended, ...(kept !== undefined && { kept }), archives: back }, [
    `Restored from ${input}`,
    ...inWords(ended),
    ...archivesInWords(back),
    ...(kept === undefined ? [] : [`The database from before is ${kept}: delete it when it is not needed`]),
  ]);
  return back.missing.length === 0 && back.problem === undefined ? EXIT.done : EXIT.problem;
}

async function endAfterRestore(
  output: Output,
  { json }: RestoreOptions,
  source: AuditSource,
): Promise<ExitCode> {
  const ended = await withOwnDatabase((store) => endEverything(store, source, systemClock()));
  report(output, json, { ended }, inWords(ended));
  return EXIT.done;
}

function inWords(ended: Ended): readonly string[] {
  const counts = Object.entries(ended).map(([table, count]) => `${count} in ${table}`);
  return [
    `Ended: ${counts.join(", ")}`,
    "Passwords are those of the backup, and people who were erased since are back: erase them again",
  ];
}

function archivesInWords({ restored, missing, problem }: ArchivesBack): readonly string[] {
  const why = problem === undefined ? "found or not readable" : `brought back (${problem})`;
  return [
    ...(restored.length === 0 ? [] : [`Archived months of the audit brought back: ${restored.join(", ")}`]),
    ...(missing.length === 0 ? [] : [`Archived months of the audit not ${why}: ${missing.join(", ")}`]),
  ];
}
