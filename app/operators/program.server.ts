import { Command, CommanderError } from "@commander-js/extra-typings";
import { processEnvironment, type Variables, withVariables } from "~/platform/config/environment.server";
import { BUILD, VERSION } from "~/platform/release.server";
import { StartRefusal } from "~/backend/start-refusal.server";
import { addAccount } from "./account/account.server";
import { addAnnounce, addMaintenance } from "./announcements/announcements.server";
import { addAudit } from "./audit/audit.server";
import { addSealAudit } from "./audit/seal-audit.server";
import { addMigrate } from "./database/migrate.server";
import { addPurge } from "./database/purge.server";
import { addDoctor } from "./doctor/doctor.server";
import { addBackup } from "./backup/backup.server";
import { addBackupKey } from "./backup/age-files.server";
import { addBackupMacKey } from "./backup/backup-mac.server";
import { addRestore } from "./backup/restore.server";
import { addImport } from "./import/import-policyholders.server";
import { addRewrapKeys } from "./keys/rewrap-keys.server";
import { addDocument, addPolicy } from "./policies/policies.server";
import { addExport } from "./personal-data/export-person.server";
import { addMailTest } from "./mail/mail-test.server";
import { addSmsTest } from "./sms/sms-test.server";
import { addIncident, addReport } from "./reports/reports.server";
import { addErase } from "./personal-data/erase-person.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  Nonsense,
  type Output,
  type Runs,
} from "./kit/command.server";

const COMMANDS: readonly AddCommands[] = [
  addAccount,
  addImport,
  addPolicy,
  addDocument,
  addRewrapKeys,
  addMigrate,
  addPurge,
  addDoctor,
  addAnnounce,
  addMaintenance,
  addSmsTest,
  addMailTest,
  addAudit,
  addSealAudit,
  addReport,
  addIncident,
  addExport,
  addErase,
  addBackup,
  addBackupKey,
  addBackupMacKey,
  addRestore,
];

const ABOUT = `The operators' commands. They read the portal's variables and work on its database, even while portals run.

Exit codes: 0 done; 1 it failed, or found something wrong; 2 it was not asked properly, and changed nothing.`;

/** Commander's code both for requested help and for help that is shown because the command is missing. */
const HELP = "commander.help";
const WHICH_COMMAND = "expected a command: --help lists them";

/**
 * Runs an operator's command, `import FILE` for example. Never throws.
 * @param words the words after the program's name
 * @param variables the portal's variables; those of the process by default
 */
export function runCommand(
  words: readonly string[],
  output: Output,
  variables?: Variables,
): Promise<ExitCode> {
  return variables === undefined ? run(words, output) : withVariables(variables, () => run(words, output));
}

async function run(words: readonly string[], output: Output): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const runs: Runs =
    (work, { rightVariables } = { rightVariables: true }) =>
    async (...given) => {
      if (rightVariables) refuseWrongVariables();
      code = await work(output, ...given);
    };
  try {
    await makeProgram(output, runs).parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(error, output);
    // Commander has already printed the requested help, or the mistake in the words.
    if (error.exitCode === 0) return EXIT.done;
    return error.code === HELP ? explain(new Nonsense(WHICH_COMMAND), output) : EXIT.nonsense;
  }
}

function explain(error: unknown, { printError }: Output): ExitCode {
  for (const line of linesOf(error)) printError(`portal: ${line}`);
  return error instanceof Nonsense ? EXIT.nonsense : EXIT.problem;
}

/** Refuses invalid variables up front, because every command reads them. */
function refuseWrongVariables(): void {
  const reading = processEnvironment();
  if (!reading.ok) throw new Nonsense(reading.problems.join("\n"));
}

function makeProgram({ print, printError }: Output, runs: Runs): Command {
  const program = new Command("portal")
    .description(ABOUT)
    .version(`${VERSION} (build ${BUILD})`, "-V, --version", "print the portal's version and build")
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        print(text.trimEnd());
      },
      // Without a command, commander writes the whole help as an error.
      writeErr: () => undefined,
      outputError: (text) => {
        printError(inOneLine(text.replace(/^error: /, "portal: ")));
      },
    });
  for (const add of COMMANDS) add(program, runs);
  return program;
}

/** Errors from elsewhere may quote data, so only their first line is shown. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof Nonsense || error instanceof StartRefusal) return error.message.split("\n");
  return error instanceof Error ? error.message.split("\n", 1) : ["the command failed"];
}

/** Puts a message on one line: a word of the command line may contain a line end. */
function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
