import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runWithProgress } from "./progress.mjs";
import { inProject, ROOT } from "./project.mjs";
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
const STAMP = inProject("build", ".sources-sha256");

/** The server's entry that the build makes, relative to the repository. */
export const SERVER_BUILD = "build/server/index.js";

/** The operators' commands. */
export const COMMANDS_BUILD = "build/portal/index.js";

/** The pages for the insurer's staff. */
export const HELP_DESK_BUILD = "build/help-desk/index.js";

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
  const made = [SERVER_BUILD, COMMANDS_BUILD, HELP_DESK_BUILD];
  if (!made.every((file) => existsSync(inProject(file)))) return false;
  if (!existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === hashSources();
}

/** Enough characters of a commit or a hash to tell two builds apart. */
const ID_LENGTH = 12;

/** A release's name: the day of its commit in UTC, and its build. */
const NAME = /^(\d{4}-\d{2}-\d{2})-((?:sources-)?[\da-f]{12})$/;

/**
 * The release that the sources are: their commit and its day or, if they match no commit, a hash of them and today. A
 * container has no history: `RELEASE_NAME` tells its build what it is.
 * @returns {{ build: string, day: string }}
 * @throws Stop if `RELEASE_NAME` is no name
 */
function releaseOf(sources) {
  const told = process.env.RELEASE_NAME?.trim();
  if (told) {
    const [, day, build] = NAME.exec(told) ?? [];
    if (!build) throw new Stop("RELEASE_NAME: expected a name as npm run release-name prints it.");
    return { build, day };
  }
  try {
    if (git("status", "--porcelain", "--", ...SOURCES) === "") {
      const [commit, seconds] = git("log", "-1", "--format=%H %ct").split(" ");
      return { build: commit.slice(0, ID_LENGTH), day: dayOf(Number(seconds) * 1000) };
    }
  } catch {
    // No Git, or no repository.
  }
  return { build: `sources-${sources.slice(0, ID_LENGTH)}`, day: dayOf(Date.now()) };
}

/** Runs Git and returns its output. */
function git(...args) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
}

function dayOf(time) {
  return new Date(time).toISOString().slice(0, "2026-11-20".length);
}

/** The name of the release that the sources are. */
export function releaseName() {
  const { build, day } = releaseOf(hashSources());
  return `${day}-${build}`;
}

/** Builds the portal, its commands and the help desk for production. */
export async function build() {
  // Hashed first: a source saved during the build may or may not be in it, so the next start builds again.
  const sources = hashSources();
  // Vite puts it into the code (app/platform/release.server.ts).
  const { build: VITE_BUILD, day: VITE_BUILD_DAY } = releaseOf(sources);
  rmSync(STAMP, { force: true });
  // Earlier builds had other folders.
  rmSync(inProject("build"), { recursive: true, force: true });
  const outcome = await runWithProgress(
    "Building",
    inProject("node_modules", ".bin", "remix"),
    ["vite:build"],
    {
      NODE_ENV: "production",
      // A bundler makes much garbage at once: a third less processor time than with Node's own size.
      NODE_OPTIONS: "--max-semi-space-size=64",
      VITE_BUILD,
      VITE_BUILD_DAY,
    },
  );
  if (outcome.code !== 0) {
    console.error(outcome.output.trimEnd());
    throw new Stop("The build failed, see above.");
  }
  writeFileSync(STAMP, sources);
}
