import type { Command } from "@commander-js/extra-typings";
import type { ExitCode } from "./exit-code.server";
import type { Output } from "./output.server";

/** What a command does: it prints, and returns how it ended. @throws Nonsense, StartRefusal */
export type Work<Words extends readonly unknown[]> = (output: Output, ...words: Words) => Promise<ExitCode>;

/** Makes a command's work an action of the program, which keeps the exit code. */
export type Runs = <Words extends readonly unknown[]>(
  work: Work<Words>,
  needs?: Needs,
) => (...words: Words) => Promise<void>;

/** What must hold before a command's work begins. */
interface Needs {
  /** Whether every variable of the environment must be right. Default: true; otherwise the command is nonsense. */
  readonly rightVariables: boolean;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, runs: Runs) => void;
