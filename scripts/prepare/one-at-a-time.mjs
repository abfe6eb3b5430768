import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

const FOLDER = inProject(".cache");
const FILE = inProject(".cache", "preparing.pid");
const POLL_MS = 250;
const GIVE_UP_MS = 15 * 60_000;

/**
 * Does work that two processes must not do at once in one working copy (an install, a build). A second process waits; if
 * the first one died, the second takes over.
 * @param {() => Promise<void>} work
 */
export async function oneAtATime(work) {
  mkdirSync(FOLDER, { recursive: true });
  let announced = false;
  while (!claim()) {
    if (!announced) console.log("· Waiting for another process that installs or builds in this folder …");
    announced = true;
    await delay(POLL_MS);
  }
  const release = () => rmSync(FILE, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    release();
    process.removeListener("exit", release);
  }
}

function claim() {
  if (create()) return true;
  if (!holderIsGone()) return false;
  rmSync(FILE, { force: true });
  return create();
}

function create() {
  try {
    writeFileSync(FILE, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new Stop(`Can't write ${FILE} (${error.code}): is the folder writable?`);
  }
}

function holderIsGone() {
  try {
    const age = Date.now() - statSync(FILE).mtimeMs;
    const pid = Number(readFileSync(FILE, "utf8"));
    if (age > GIVE_UP_MS) return true;
    // Created but still empty: its owner is about to write it.
    if (pid === 0) return age > 1000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH"; // ENOENT: just released; EPERM: alive, another user's
  }
}
