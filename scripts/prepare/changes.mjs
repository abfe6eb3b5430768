import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inProject, ROOT } from "./project.mjs";

const PASSED = inProject(".cache", "check-passed");
const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * Whether a file is code, or data that code may import.
 * @param {string} path
 */
export const isSource = (path) => SOURCE.test(path) || path.endsWith(".json");

/**
 * Runs Git and returns its output.
 * @param {...string} args
 */
export const git = (...args) =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
const lines = (text) => text.split("\n").filter(Boolean);

/** The files that Git knows or would take, with those that are deleted. */
export const ownFiles = () => lines(git("ls-files", "--cached", "--others", "--exclude-standard"));

/**
 * The files changed since the commit on which the check last passed: committed, uncommitted and new ones.
 * @returns {readonly string[] | undefined} paths below the repository; undefined if it is not known
 */
export function changedFiles() {
  try {
    const passed = readFileSync(PASSED, "utf8");
    const changed = lines(git("diff", "--name-only", "--no-renames", passed));
    return [...new Set([...changed, ...lines(git("ls-files", "--others", "--exclude-standard"))])];
  } catch {
    return undefined;
  }
}

/**
 * A file as it was when the check last passed.
 * @param {string} path
 * @returns {string | undefined} undefined if it is new, or not known
 */
export function passedText(path) {
  try {
    return git("show", `${readFileSync(PASSED, "utf8")}:${path}`);
  } catch {
    return undefined;
  }
}

/** Notes that the check has passed on the present commit. */
export function rememberPassed() {
  try {
    mkdirSync(dirname(PASSED), { recursive: true });
    writeFileSync(PASSED, git("rev-parse", "HEAD"));
  } catch {
    // No Git: each check looks at everything.
  }
}
