import { isatty } from "node:tty";
import { errorOutput } from "../telemetry/error-output.server";

/** Writes one line per problem to stderr and exits with code 1. */
export function failStartup(problems: readonly string[]): never {
  for (const problem of problems) writeLine("error", problem);
  process.exit(1);
}

/** Writes one line to stderr about the start. */
export function warnAtStartup(problem: string): void {
  writeLine("warn", problem);
}

/**
 * Writes a plain line for a person at a terminal, otherwise one like the log's. The log itself can't write it, because a
 * wrong variable may be the problem.
 */
function writeLine(level: "warn" | "error", problem: string): void {
  const line = isatty(2) ? `portal: ${problem}` : JSON.stringify({ level, time: new Date(), msg: problem });
  errorOutput().write(`${line}\n`);
}
