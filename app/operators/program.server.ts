import { Command, CommanderError } from "@commander-js/extra-typings";
import { scopeOf, type Needs } from "~/platform/config/command-needs.server";
import {
  processEnvironment,
  type Variables,
  withScope,
  withVariables,
} from "~/platform/config/environment.server";
import { BUILD, BUILD_DAY, VERSION } from "~/platform/release.server";
import { StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { addAccount } from "./account.server";
import { addAnnounce, addMaintenance } from "./announcements.server";
import { addAudit } from "./audit.server";
import { addSealAudit } from "./seal-audit.server";
import { addMigrate } from "./migrate.server";
import { addPurge } from "./purge.server";
import { addDoctor } from "./doctor.server";
import { addBackup } from "./backup.server";
import { addBackupKey } from "./backup-key.server";
import { addRestore } from "./restore.server";
import { addImport } from "./import.server";
import { addRewrapKeys } from "./rewrap-keys.server";
import { addPolicy } from "./policies.server";
import { addExport } from "./export-person.server";
import { addSendTest } from "./send-test.server";
import { addErase } from "./erase-person.server";
import { type AddCommands, EXIT, type ExitCode, type Output, type Runs } from "./kit/command.server";

const COMMANDS: readonly AddCommands[] = [
  addAccount,
  addImport,
  addPolicy,
  addRewrapKeys,
  addMigrate,
  addPurge,
  addDoctor,
  addAnnounce,
  addMaintenance,
  addSendTest,
  addAudit,
  addSealAudit,
  addExport,
  addErase,
  addBackup,
  addBackupKey,
  addRestore,
];

const ABOUT = `The operators' commands. They read the portal's variables, each those of its work, and work on its database, even while portals run.

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
  const start = () => run(words, output);
  return variables === undefined ? start() : withVariables(variables, start);
}

async function run(words: readonly string[], output: Output): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const runs: Runs =
    (needs, work) =>
    async (...given) => {
      code = await (needs === "unchecked"
        ? work(output, ...given)
        : withNeeded(typeof needs === "function" ? needs(...given) : needs, () => work(output, ...given)));
    };
  try {
    await makeProgram(output, runs).parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(error, output);
    // Commander has already printed the requested help, or the mistake in the words.
    if (error.exitCode === 0) return EXIT.done;
    return error.code === HELP ? explain(new UsageError(WHICH_COMMAND), output) : EXIT.usage;
  }
}

function explain(error: unknown, { printError }: Output): ExitCode {
  for (const line of linesOf(error)) printError(`portal: ${line}`);
  return error instanceof UsageError ? EXIT.usage : EXIT.problem;
}

/** Does work with the variables that it needs. They are refused up front, before the work changes anything. */
function withNeeded<Value>(needs: Needs, work: () => Value): Value {
  return withScope(scopeOf(needs), () => {
    const reading = processEnvironment();
    if (!reading.ok) throw new UsageError(reading.problems.join("\n"));
    return work();
  });
}

/** The program, with all its commands. @param runs what a command does */
export function makeProgram(
  { print, printError }: Pick<Output, "print" | "printError">,
  runs: Runs,
): Command {
  const program = new Command("portal")
    .description(ABOUT)
    .version(
      `${VERSION} (build ${[BUILD, BUILD_DAY ?? []].flat().join(", ")})`,
      "-V, --version",
      "print the portal's version and release",
    )
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        print(text.trimEnd());
      },
      // Without a command, commander writes the whole help as an error.
      writeErr: () => undefined,
      outputError: (text) => {
        printError(stripLineEnds(text.replace(/^error: /, "portal: ")));
      },
    });
  for (const add of COMMANDS) add(program, runs);
  return program;
}

/** Errors from elsewhere may quote data, so only their first line is shown. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError || error instanceof StartRefusal) return error.message.split("\n");
  return error instanceof Error ? error.message.split("\n", 1) : ["the command failed"];
}

/** Puts a message on one line: a word of the command line may contain a line end. */
function stripLineEnds(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
