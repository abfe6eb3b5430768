import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { inRepository } from "./repository";

/** One import to plant: the file that has it, and the file or package it imports. */
export interface Planted {
  readonly from: string;
  readonly to: string;
}

/**
 * Writes a house with our layout that holds nothing but the planted imports, runs dependency-cruiser on it once with
 * our rules, and returns the rules that each file breaks. One import per file, so that each finding has one cause.
 */
export async function brokenRules(planted: readonly Planted[]): Promise<ReadonlyMap<string, string[]>> {
  const house = await mkdtemp(join(tmpdir(), "planted-house-"));
  try {
    await writeHouse(house, planted);
    const options = await extractDepcruiseOptions(inRepository(".dependency-cruiser.cjs"));
    const { output } = await cruise(["app"], { ...options, baseDir: house });
    const broken = new Map<string, string[]>();
    for (const { from, rule } of (output as ICruiseResult).summary.violations)
      broken.set(from, [...(broken.get(from) ?? []), rule.name]);
    return broken;
  } finally {
    await rm(house, { recursive: true });
  }
}

async function writeHouse(house: string, planted: readonly Planted[]): Promise<void> {
  const files = new Map<string, string>();
  for (const { to } of planted) if (isFile(to)) files.set(to, to.endsWith(".json") ? "{}" : "export {};\n");
  for (const { from, to } of planted)
    files.set(from, `import "${isFile(to) ? relativeTo(from, to) : to}";\n`);

  for (const [path, text] of files) {
    await mkdir(dirname(join(house, path)), { recursive: true });
    await writeFile(join(house, path), text);
  }
  // The real packages, listed as in our package.json.
  await symlink(inRepository("node_modules"), join(house, "node_modules"));
  await copyFile(inRepository("package.json"), join(house, "package.json"));
}

/** Files have an extension; packages don't. */
function isFile(to: string): boolean {
  return /\.(tsx?|mjs|json)$/.test(to);
}

function relativeTo(from: string, to: string): string {
  return relative(dirname(from), to).replace(/^(?!\.)/, "./");
}
