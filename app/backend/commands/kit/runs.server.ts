import type { Command } from "@commander-js/extra-typings";
import type { ExitCode } from "./exit-code.server";
import type { Output } from "./output.server";

/** The work of a command: it prints, and returns the exit code. @throws Nonsense, StartRefusal */
export type Work<Words extends readonly unknown[]> = (output: Output, ...words: Words) => Promise<ExitCode>;

/** Turns a command's work into an action of the program, which keeps the exit code. */
export type Runs = <Words extends readonly unknown[]>(
  work: Work<Words>,
  needs?: Needs,
) => (...words: Words) => Promise<void>;

/** What must hold before a command's work begins. */
interface Needs {
  /** Whether every environment variable must be valid. Default: true; the command is refused if one isn't. */
  readonly rightVariables: boolean;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, runs: Runs) => void;
