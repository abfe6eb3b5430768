import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Absolute path of something in the repository.
 * @param {...string} parts
 */
export const inProject = (...parts) => join(ROOT, ...parts);

/**
 * The fields of package.json that the scripts read.
 * @returns {{ engines: { node: string } }}
 */
export const readPackageJson = () => JSON.parse(readFileSync(inProject("package.json"), "utf8"));

/**
 * Whether a process still runs, another user's too.
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
