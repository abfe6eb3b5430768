import { execFile } from "node:child_process";
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVER_BUILD, SOURCES } from "../prepare/build.mjs";
import { inProject } from "../prepare/project.mjs";
import { Stop } from "../prepare/stop.mjs";

/**
 * Builds a copy of the sources as `npm run build` would, with source maps for the server. `build/` is left alone.
 * @param {string} folder an empty folder for the copy
 * @returns {Promise<string>} the path of the server's entry
 */
export async function buildWithMaps(folder) {
  for (const source of SOURCES) {
    if (existsSync(inProject(source))) cpSync(inProject(source), join(folder, source), { recursive: true });
  }
  symlinkSync(inProject("node_modules"), join(folder, "node_modules"));
  const run = (command, ...args) =>
    promisify(execFile)(join(folder, "node_modules", ".bin", command), args, options);
  const options = { cwd: folder, env: { ...process.env, NODE_ENV: "production" } };
  try {
    await run("remix", "vite:build", "--sourcemapServer");
  } catch (error) {
    throw new Stop(`The build failed:\n${error.stdout}${error.stderr}`);
  }
  return join(folder, SERVER_BUILD);
}
