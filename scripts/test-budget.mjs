// What a run of the tests took, beside the budget in tests/README.md: a figure to look at, never a failure.
import { existsSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second for programs. */
const TICKS_PER_SECOND = 100;
/** By how much a part may exceed its budget before the run says so. */
const TOLERATED = 1.25;

/** The processor time of all children that have ended, with theirs (s); undefined where the system doesn't tell. */
export function processorSeconds() {
  if (!existsSync("/proc/self/stat")) return undefined;
  // After the name in parentheses: the fields from the third on; 16 and 17 are the children's time (proc(5)).
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/**
 * @param {string} readme the text of tests/README.md
 * @returns {Map<string, number>} seconds, by stage and by folder
 */
export function budgetIn(readme) {
  const rows = readme.matchAll(/^\| `?([\w/-]+)`? +\| +(\d+) s +\|/gm);
  return new Map([...rows].map(([, name, seconds]) => [name, Number(seconds)]));
}

/** @typedef {{ readonly name: string, readonly wall: number, readonly processor: number | undefined, readonly times: readonly { readonly test: string, readonly ms: number }[] }} Took */

/**
 * The lines that a run ends with: each stage with its wall and processor time, each folder with the time of its tests.
 * @param {readonly Took[]} stages
 * @param {ReadonlyMap<string, number>} budget
 */
export function linesOfTimes(stages, budget) {
  const lines = [];
  const over = [];
  const add = (indent, name, spent, text) => {
    const part = budget.get(name);
    lines.push(
      `${indent}${name.padEnd(24 - indent.length)} ${text}${part === undefined ? "" : ` of ${part} s`}`,
    );
    if (part !== undefined && spent > part * TOLERATED) over.push(name);
  };
  for (const { name, wall, processor, times } of stages) {
    const text = processor === undefined ? "" : `, processor time ${Math.round(processor)} s`;
    add("  ", name, processor ?? 0, `${Math.round(wall)} s${text}`);
    for (const [folder, seconds] of secondsByFolder(times))
      add("    ", folder, seconds, `${Math.round(seconds)} s`);
  }
  if (over.length > 0)
    lines.push(`More than a quarter over the budget of tests/README.md: ${over.join(", ")}.`);
  return lines;
}

/** The time of the tests of each folder (s), the longest first. */
function secondsByFolder(times) {
  const folders = new Map();
  for (const { test, ms } of times) {
    const folder = folderOf(test);
    folders.set(folder, (folders.get(folder) ?? 0) + ms / 1000);
  }
  return [...folders].toSorted(([, one], [, other]) => other - one);
}

/** `unit/backend` of a path, or the project of a journey. */
function folderOf(test) {
  const project = /^\S+ \[([\w-]+)\]/.exec(test)?.[1];
  if (project !== undefined) return project;
  const parts = (test.split(" > ")[0].split("/tests/").at(-1) ?? "").split("/");
  return parts.slice(0, parts[0] === "unit" || parts[0] === "release" ? 2 : 1).join("/");
}
