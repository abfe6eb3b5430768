import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";
import { inProject, isAlive } from "./project.mjs";
import { Stop } from "./stop.mjs";

/** A file for each test run in this working copy, named after its process. */
const TEST_RUNS = inProject(".cache", "test-runs");

/** Installs the packages unless they match the lock file already. */
export async function prepareInstall() {
  if (isInstalled()) return;
  await oneAtATime(async () => {
    if (!isInstalled()) await install();
  });
}

/** Installs, and builds unless the build is up to date. Takes a few ms when there is nothing to do. */
export async function prepare() {
  await prepareInstall();
  if (isBuilt()) return;
  const [run] = otherTestRuns();
  if (run !== undefined)
    throw new Stop(
      `A test run (process ${run}) uses the build, which is older than the code now: wait until it ends, or use another clone.`,
    );
  await oneAtATime(async () => {
    if (!isBuilt()) await build();
  });
}

/** While this process tests the build, others must not rebuild it. */
export function beginTestRun() {
  mkdirSync(TEST_RUNS, { recursive: true });
  const file = inProject(".cache", "test-runs", String(process.pid));
  writeFileSync(file, "");
  process.once("exit", () => rmSync(file, { force: true }));
}

function otherTestRuns() {
  mkdirSync(TEST_RUNS, { recursive: true });
  return readdirSync(TEST_RUNS).filter((pid) => {
    if (Number(pid) === process.pid) return false;
    if (isAlive(Number(pid))) return true;
    rmSync(inProject(".cache", "test-runs", pid), { force: true });
    return false;
  });
}
