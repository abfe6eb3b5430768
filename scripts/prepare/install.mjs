import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "./command.mjs";
import { runWithProgress } from "./progress.mjs";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

const LOCK = inProject("package-lock.json");
const TREE = inProject("node_modules", ".package-lock.json");
const STAMP = inProject("node_modules", ".portal-installed");
const ADDON = inProject("node_modules", "better-sqlite3", "build", "Release", "better_sqlite3.node");
const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/**
 * What the packages must match: the content of the lock file, and this Node, for which the one native addon must be
 * compiled.
 */
function expectedStamp() {
  const lock = createHash("sha256").update(readFileSync(LOCK)).digest("hex");
  return `${lock} ${process.platform}-${process.arch} abi ${process.versions.modules}\n`;
}

/** Whether `node_modules` matches the lock file and is compiled for this Node. Takes about 2 ms. */
export function isInstalled() {
  return existsSync(ADDON) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === expectedStamp();
}

/** Brings `node_modules` in line with the lock file, doing only what is needed. */
export async function install() {
  if (!treeMatchesLock()) await installPackages();
  if (!(await addonLoads())) await compileAddon();
  writeFileSync(STAMP, expectedStamp());
}

/** Compares with npm's own record, so that the result of a plain `npm ci` isn't installed again. */
function treeMatchesLock() {
  if (!existsSync(TREE)) return false;
  const locked = JSON.parse(readFileSync(LOCK, "utf8")).packages;
  const installed = JSON.parse(readFileSync(TREE, "utf8")).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    // npm skips packages for other platforms, and unneeded peers.
    return found === undefined
      ? entry.optional === true || entry.peer === true
      : found.version === entry.version;
  });
}

async function installPackages() {
  // No package may run code during the install; the one that must is compiled by name, below.
  const outcome = await runWithProgress(
    "Installing packages (npm ci)",
    "npm",
    ["ci", "--ignore-scripts", "--include=dev", "--prefer-offline", "--fetch-retries=1", "--loglevel=error"],
    { NODE_ENV: "development" },
  );
  if (outcome.code === 0) return;
  if (outcome.code === 127) throw new Stop("npm is not on the PATH: install it with Node.");
  const [unreachable] = OFFLINE.exec(outcome.output) ?? [];
  if (unreachable)
    throw new Stop(`The npm registry can't be reached (${unreachable}): check network and proxy.`);
  console.error(outcome.output.trimEnd());
  throw new Stop("npm ci failed, see above.");
}

async function compileAddon() {
  const outcome = await runWithProgress(
    "Preparing better-sqlite3 (downloaded, or compiled in about a minute)",
    "npm",
    ["rebuild", "better-sqlite3", "--ignore-scripts=false", "--loglevel=error"],
  );
  if (outcome.code === 0 && (await addonLoads())) return;
  console.error(outcome.output.split("\n").slice(-20).join("\n").trimEnd());
  throw new Stop(
    "better-sqlite3 could not be built: it needs python3, make and a C++ compiler (g++ or clang).",
  );
}

/** Tried in a child process: an addon for another Node may crash, and a loaded one can't be replaced. */
async function addonLoads() {
  if (!existsSync(ADDON)) return false;
  const { code } = await run(
    process.execPath,
    ["-e", "new (require('better-sqlite3'))(':memory:').close()"],
    {
      capture: true,
    },
  );
  return code === 0;
}
