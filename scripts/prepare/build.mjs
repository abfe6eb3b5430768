import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runWithProgress } from "./progress.mjs";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

/** Everything that the build reads. */
export const SOURCES = [
  "app",
  "locales",
  "public",
  "vite.config.ts",
  "vite.commands.config.ts",
  "vite.worker.config.ts",
  "vite.external.ts",
  "vite.unused-code.ts",
  "tailwind.config.ts",
  "postcss.config.js",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
const STAMP = inProject("build", ".sources-sha256");

/** The server's entry that the build makes, relative to the repository. */
export const SERVER_BUILD = "build/server/index.js";

/** The operators' commands, made by the build too. */
export const COMMANDS_BUILD = "build/portal/index.js";

/** The thread that works on PDFs, made by the build last. */
const WORKER_BUILD = "build/workers/pdf.js";

/** Hashes names and contents, not times: a checkout, a clone or a restored cache changes times. */
function hashSources() {
  const hash = createHash("sha256");
  const add = (path) => {
    const absolute = inProject(path);
    if (!existsSync(absolute)) return;
    if (statSync(absolute).isDirectory()) {
      for (const name of readdirSync(absolute).sort()) add(join(path, name));
    } else {
      const content = readFileSync(absolute);
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  };
  SOURCES.forEach(add);
  return hash.digest("hex");
}

/** Whether `build/` was made from the current sources. Takes a few milliseconds. */
export function isBuilt() {
  if (![SERVER_BUILD, COMMANDS_BUILD, WORKER_BUILD].every((file) => existsSync(inProject(file))))
    return false;
  if (!existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === hashSources();
}

/** Builds the portal for production. */
export async function build() {
  // Hashed first: a source saved during the build may or may not be in it, so the next start builds again.
  const sources = hashSources();
  rmSync(STAMP, { force: true });
  const outcome = await runWithProgress("Building the portal (npm run build)", "npm", ["run", "build"], {
    NODE_ENV: "production",
  });
  if (outcome.code !== 0) {
    console.error(outcome.output.trimEnd());
    throw new Stop("The build failed, see above.");
  }
  writeFileSync(STAMP, sources);
}
