import { isAlive } from "./project.mjs";

/** How many folders of ended runs are kept. */
const KEPT = 5;
/** The name of a run's folder: when it began, and its process. */
const RUN = /^\d{4}-\d{2}-\d{2}T\d{6}-(\d+)$/;

/**
 * The name of a new run's folder. Names sort by time.
 * @param {Date} now
 * @param {number} pid
 */
export const folderOfRun = (now, pid) => `${now.toISOString().slice(0, 19).replaceAll(":", "")}-${pid}`;

/**
 * The folders of old runs to delete. A running test run keeps its folder, however many runs began later.
 * @param {readonly string[]} names what is in `test-results`
 * @param {(pid: number) => boolean} isRunning
 * @returns {readonly string[]}
 */
export function oldResults(names, isRunning = isAlive) {
  return names
    .filter((name) => RUN.test(name) && !isRunning(Number(RUN.exec(name)?.[1])))
    .toSorted()
    .slice(0, -KEPT);
}
