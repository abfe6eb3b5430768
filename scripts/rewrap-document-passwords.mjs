// `npm run rewrap-document-passwords`: after a new key was put first in keys.json and the portal was restarted with it,
// wraps every document password with it. The portal may go on serving.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const app = fileURLToPath(new URL("../app", import.meta.url));
const command = `${app}/backend/commands/rewrap-document-passwords.server.ts`;

try {
  const { module } = await runnerImport(command, { configFile: false, resolve: { alias: { "~": app } } });
  const count = await module.rewrapInDirectory(process.env.DATA_DIR || ".data");
  console.log(`Document passwords wrapped with the current key: ${count}`);
} catch (error) {
  console.error(`portal: ${error instanceof Error ? error.message : "the command failed"}`);
  process.exitCode = 1;
}
