import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runWithProgress } from "./progress.mjs";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

const LOCK = inProject("package-lock.json");
const TREE = inProject("node_modules", ".package-lock.json");
const STAMP = inProject("node_modules", ".portal-installed");
const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** The packages must match this: the lock file's content, and this platform, for which some bring binaries. */
function expectedStamp() {
  const lock = createHash("sha256").update(readFileSync(LOCK)).digest("hex");
  return `${lock} ${process.platform}-${process.arch}\n`;
}

/** Whether `node_modules` matches the lock file and this platform. Takes about 2 ms. */
export function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === expectedStamp();
}

/** Brings `node_modules` in line with the lock file, doing only what is needed. */
export async function install() {
  if (!treeMatchesLock()) await installPackages();
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
  const outcome = await runWithProgress(
    "Installing packages (npm ci)",
    "npm",
    ["ci", "--include=dev", "--prefer-offline", "--fetch-retries=1", "--loglevel=error"],
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
