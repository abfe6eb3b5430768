import { Command, CommanderError } from "@commander-js/extra-typings";
import { StartRefusal } from "../start-refusal.server";
import { addImport } from "./import/import-policyholders.server";
import { addRewrapKeys } from "./keys/rewrap-keys.server";
import { EXIT, Nonsense, type ExitCode } from "./kit/exit-code.server";
import type { Output } from "./kit/output.server";
import type { AddCommands, Runs } from "./kit/runs.server";

const COMMANDS: readonly AddCommands[] = [addImport, addRewrapKeys];

const ABOUT = `The operators' commands. They read the portal's variables and work on its database, even while portals run.

Exit codes: 0 done; 1 it failed, or found something wrong; 2 it was not asked properly, and changed nothing.`;

/**
 * Runs an operator's command, `import FILE` for example. Never throws.
 * @param words the words after the program's name
 */
export async function runCommand(words: readonly string[], output: Output): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const runs: Runs =
    (work) =>
    async (...given) => {
      code = await work(output, ...given);
    };
  try {
    await makeProgram(output, runs).parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed what is wrong with the words, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.nonsense;
    output.printError(`portal: ${inOneLine(error)}`);
    return error instanceof Nonsense ? EXIT.nonsense : EXIT.problem;
  }
}

function makeProgram({ print, printError }: Output, runs: Runs): Command {
  const program = new Command("portal")
    .description(ABOUT)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        print(text.trimEnd());
      },
      outputError: (text) => {
        printError(text.trimEnd().replace(/^error: /, "portal: "));
      },
    });
  for (const add of COMMANDS) add(program, runs);
  return program;
}

/** Foreign errors may quote what they were given, so only the first line is kept. */
function inOneLine(error: unknown): string {
  if (error instanceof Nonsense || error instanceof StartRefusal) return error.message;
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : "the command failed";
}
