import { isatty } from "node:tty";
import { errorOutput } from "~/platform/telemetry/error-output.server";
import { runCommand } from "./program.server";
import { standardOutput } from "./standard-output.server";

// `node build/portal COMMAND …`: the operators' commands, as a program.

const STDERR = 2;
const printError = (line: string) => {
  errorOutput().write(`${line}\n`);
};

process.exitCode = await runCommand(process.argv.slice(2), {
  // Opened only by a command that reads it.
  get input() {
    return process.stdin;
  },
  ...standardOutput(printError),
  printError,
  terminal: isatty(STDERR) ? process.stderr : undefined,
});
