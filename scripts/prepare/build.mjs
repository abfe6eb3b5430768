import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./changes.mjs";
import { runWithProgress } from "./progress.mjs";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

/** Everything that the build reads. */
export const SOURCES = [
  "app",
  "locales",
  "public",
  "vite.config.ts",
  "tailwind.config.ts",
  "postcss.config.js",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
/** The build's parts, each with its command. The worker comes last. */
const PARTS = [
  ["Building the portal", "remix", "vite:build"],
  ["Building the operators' commands", "vite", "build", "--mode", "commands"],
  ["Building the worker for PDFs", "vite", "build", "--mode", "worker"],
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
  const addFile = (path) => {
    const content = readFileSync(inProject(path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  };
  const addFolder = (path) => {
    const entries = readdirSync(inProject(path), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.isDirectory()) addFolder(join(path, entry.name));
      else addFile(join(path, entry.name));
    }
  };
  for (const path of SOURCES) {
    const found = statSync(inProject(path), { throwIfNoEntry: false });
    if (found?.isDirectory()) addFolder(path);
    else if (found) addFile(path);
  }
  return hash.digest("hex");
}

/** Whether `build/` was made from the current sources. Takes a few milliseconds. */
export function isBuilt() {
  if (![SERVER_BUILD, COMMANDS_BUILD, WORKER_BUILD].every((file) => existsSync(inProject(file))))
    return false;
  if (!existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === hashSources();
}

/** Enough characters of a commit or a hash to tell two builds apart. */
const ID_LENGTH = 12;

/** The commit of the sources, or a hash of them if they match no commit, as in a container. */
function buildId(sources) {
  try {
    if (git("status", "--porcelain", "--", ...SOURCES) === "")
      return git("rev-parse", "HEAD").slice(0, ID_LENGTH);
  } catch {
    // No Git, or no repository.
  }
  return `sources-${sources.slice(0, ID_LENGTH)}`;
}

/** Builds the portal for production. */
export async function build() {
  // Hashed first: a source saved during the build may or may not be in it, so the next start builds again.
  const sources = hashSources();
  // Vite puts it into the code (app/platform/release.server.ts).
  const VITE_BUILD = buildId(sources);
  rmSync(STAMP, { force: true });
  for (const [title, tool, ...args] of PARTS) {
    const outcome = await runWithProgress(title, inProject("node_modules", ".bin", tool), args, {
      NODE_ENV: "production",
      VITE_BUILD,
    });
    if (outcome.code === 0) continue;
    console.error(outcome.output.trimEnd());
    throw new Stop("The build failed, see above.");
  }
  writeFileSync(STAMP, sources);
}
