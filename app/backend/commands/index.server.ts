// `node build/commands NAME …`: what operators do to the database of a portal, which may go on serving. The commands
// take the portal's own variables.
import { main as importPolicyholders } from "./import-policyholders.server";
import { main as rewrapKeys } from "./rewrap-keys.server";

const COMMANDS = new Map([
  ["import-policyholders", importPolicyholders],
  ["rewrap-keys", rewrapKeys],
]);

const voice = {
  say: (line: string) => process.stdout.write(`${line}\n`),
  complain: (line: string) => process.stderr.write(`${line}\n`),
};

const [name = "", ...words] = process.argv.slice(2);
process.exitCode = await run();

async function run(): Promise<number> {
  const command = COMMANDS.get(name);
  try {
    if (command) return await command(words, voice);
    voice.complain(`portal: expected one of the commands ${[...COMMANDS.keys()].join(", ")}`);
  } catch (error) {
    voice.complain(`portal: ${error instanceof Error ? error.message : "the command failed"}`);
  }
  return 1;
}
