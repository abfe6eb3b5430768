import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { inProject } from "./prepare/project.mjs";

/** `npm test -- fast`: needs no build and no program beside Node. */
export const FAST = "fast";
/** `npm test -- release`: everything, before a release and each night. */
export const RELEASE = "release";

/** The folders of tests/unit that start programs or open databases. */
const SLOW = new Set(["backend", "deployment", "help-desk", "operators", "services"]);

/**
 * The test files of a part: `fast`, or a folder or file below `tests`.
 * @param {string} part
 * @returns {{ vitest: readonly string[], playwright: readonly string[] } | undefined} paths below the repository;
 *   undefined if there is no such part
 */
export function testsOf(part) {
  const places = part === FAST ? fastFolders() : [part.replace(/^tests\//, "")];
  if (!places.every((place) => existsSync(inProject("tests", place)))) return undefined;
  const files = places.flatMap(filesIn).toSorted();
  return {
    vitest: files.filter((path) => /\.test\.tsx?$/.test(path)),
    playwright: files.filter((path) => /\.spec\.ts$/.test(path)),
  };
}

function fastFolders() {
  return readdirSync(inProject("tests", "unit"))
    .filter((name) => !SLOW.has(name))
    .map((name) => join("unit", name));
}

function filesIn(place) {
  const path = inProject("tests", place);
  const inside = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
    : [path];
  return inside.map((file) => relative(inProject(), file));
}
