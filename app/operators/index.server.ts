import { runCommand } from "./program.server";

// `node build/portal COMMAND …`: the operators' commands, as a program.

// The reader may stop at any time, as `head` does.
process.stdout.on("error", () => process.exit());

process.exitCode = await runCommand(process.argv.slice(2), {
  // Opened only by a command that reads it.
  get input() {
    return process.stdin;
  },
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  out: process.stdout,
  terminal: process.stderr.isTTY ? process.stderr : undefined,
});
