import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import typescript from "typescript";
import { ownFiles } from "../prepare/changes.mjs";
import { inProject } from "../prepare/project.mjs";

const CODE = /\.[cm]?[jt]sx?$/;
/** The endings that an import may leave out. */
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".js", "/index.ts", "/index.tsx"];

/**
 * Finds who imports each of these files.
 * @param {readonly string[]} paths
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function importersOf(paths) {
  const importers = new Map(paths.map((path) => [path, []]));
  for (const path of ownFiles()) {
    if (!CODE.test(path) || !existsSync(inProject(path))) continue;
    const { importedFiles } = typescript.preProcessFile(readFileSync(inProject(path), "utf8"), true, true);
    for (const { fileName } of importedFiles)
      for (const candidate of candidates(path, fileName)) importers.get(candidate)?.push(path);
  }
  return importers;
}

function candidates(importer, specifier) {
  const base = specifier.startsWith("~/")
    ? join("app", specifier.slice(2))
    : specifier.startsWith(".")
      ? join(dirname(importer), specifier)
      : undefined;
  return base === undefined ? [] : ENDINGS.map((ending) => base + ending);
}
