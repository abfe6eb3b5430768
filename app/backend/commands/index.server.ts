// `node build/commands NAME …`: commands for operators. They read the portal's variables and work on its database, even
// while the portal is running.
import { main as importPolicyholders } from "./import-policyholders.server";
import { main as rewrapKeys } from "./rewrap-keys.server";

const COMMANDS = new Map([
  ["import-policyholders", importPolicyholders],
  ["rewrap-keys", rewrapKeys],
]);

const output = {
  print: (line: string) => process.stdout.write(`${line}\n`),
  printError: (line: string) => process.stderr.write(`${line}\n`),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
};

const [name = "", ...words] = process.argv.slice(2);
process.exitCode = await run();

async function run(): Promise<number> {
  const command = COMMANDS.get(name);
  try {
    if (command) return await command(words, output);
    output.printError(`portal: unknown command: expected one of ${[...COMMANDS.keys()].join(", ")}`);
  } catch (error) {
    output.printError(`portal: ${error instanceof Error ? error.message : "the command failed"}`);
  }
  return 1;
}
