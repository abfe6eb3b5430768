import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { inRepository } from "./repository";

/** One import to plant: the file it stands in, and what it imports: another file, or a package. */
export interface Planted {
  readonly from: string;
  readonly to: string;
  /** The import as it is written; a plain `import` if nothing else is said. */
  readonly write?: (specifier: string) => string;
}

/**
 * Writes a house with the layout of ours that holds nothing but the planted imports, has dependency-cruiser look at it
 * once under our rules, and gives the rules that each file breaks. A file holds one import, or it breaks too much.
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
  for (const { from, to, write = plainImport } of planted)
    files.set(from, `${write(isFile(to) ? relativeTo(from, to) : to)}\n`);

  for (const [path, text] of files) {
    await mkdir(dirname(join(house, path)), { recursive: true });
    await writeFile(join(house, path), text);
  }
  // The packages are the real ones, listed as ours are.
  await symlink(inRepository("node_modules"), join(house, "node_modules"));
  await copyFile(inRepository("package.json"), join(house, "package.json"));
}

/** Files are told from packages by their extension. */
function isFile(to: string): boolean {
  return /\.(tsx?|mjs|json)$/.test(to);
}

function relativeTo(from: string, to: string): string {
  return relative(dirname(from), to).replace(/^(?!\.)/, "./");
}

function plainImport(specifier: string): string {
  return `import "${specifier}";`;
}
