import { statSync } from "node:fs";
import { dirname } from "node:path";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import type { AuditSource } from "../../audit-event.server";
import { EXIT, Nonsense, type ExitCode } from "../kit/exit-code.server";
import { auditSource, withOperatorAct, type OperatorAct } from "../kit/operator-act.server";
import { report, type Output } from "../kit/output.server";
import { portalDatabase, withOwnDatabase } from "../kit/portal-database.server";
import type { AddCommands } from "../kit/runs.server";
import { decryptFrom, readIdentities } from "./age-files.server";
import { endEverything, type Ended } from "./end-everything.server";
import { bringArchivesBack, type ArchivesBack } from "./kept-archives.server";
import { restorePostgres } from "./restore-postgres.server";
import { restoreSqlite } from "./restore-sqlite.server";

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
  const decrypter = readIdentities(identity);
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
