// Commands for the database of a portal, which may go on serving: `npm run rewrap-keys`, `npm run import-policyholders`.
// They take the portal's own variables.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const [name, ...args] = process.argv.slice(2);
const app = fileURLToPath(new URL("../app", import.meta.url));
const command = `${app}/backend/commands/${name}.server.ts`;

try {
  const { module } = await runnerImport(command, { configFile: false, resolve: { alias: { "~": app } } });
  process.exitCode = await module.main(args, { say: console.log, complain: console.error });
} catch (error) {
  console.error(`portal: ${error instanceof Error ? error.message : "the command failed"}`);
  process.exitCode = 1;
}
