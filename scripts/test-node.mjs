// `npm run test:node -- 22|24 [unit|e2e [runner arguments]]`: `npm test` on the newest Node of that line, which comes from
// the npm registry. Not a part of `npm test`.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { requireNode, satisfies } from "./prepare/node-version.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const USAGE = "npm run test:node -- 22|24 [unit|e2e [runner arguments]]";

await runMain(async () => {
  requireNode();
  const { run } = await import("./prepare/command.mjs");
  const { prepareInstall } = await import("./prepare/prepare.mjs");
  const { ROOT, readPackageJson } = await import("./prepare/project.mjs");
  process.chdir(ROOT);
  const [major = "", ...rest] = process.argv.slice(2);
  if (!/^\d+$/.test(major)) throw new Stop(`Which Node? ${USAGE}`);
  if (!satisfies(`${major}.99.0`, readPackageJson().engines.node))
    throw new Stop(`The portal doesn't run on Node ${major}: ${USAGE}`);
  await prepareInstall();

  const node = await newestNode(major);
  const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  await run(node, ["--version"], { env });
  const { code } = await run(node, ["scripts/test.mjs", ...rest], { env });
  process.exitCode = code;
});

/**
 * Installs the newest Node of a line, or finds the one that an earlier run has installed. npm compares the download
 * with the hash that the registry names.
 * @param {string} major
 * @returns {Promise<string>} absolute path of the executable
 */
async function newestNode(major) {
  const { inProject } = await import("./prepare/project.mjs");
  const { runWithProgress } = await import("./prepare/progress.mjs");
  const name = packageOfPlatform();
  const folder = inProject("node_modules", ".cache", "portal", `node-${major}`);
  mkdirSync(folder, { recursive: true });
  // A package of its own: otherwise npm would look for one in the folders above.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const { code, output } = await runWithProgress(`Fetching the newest Node ${major} (npm)`, "npm", [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--loglevel=error",
    `${name}@${major}`,
  ]);
  const node = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (code === 0 && existsSync(node)) return node;
  console.error(output.trimEnd());
  throw new Stop(`Node ${major} could not be installed from the npm registry, see above.`);
}

/** The npm package with Node's executable for this platform. */
function packageOfPlatform() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  return `node-${platform}-${process.arch}`;
}
