import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The absolute path of a file or folder in this repository. */
export function inRepository(path: string): string {
  return join(ROOT, path);
}

/** The paths of the files that Git has, or would take, and whose name matches. */
export function ownFiles(name: RegExp): readonly string[] {
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], options);
  return output.split("\n").filter((path) => name.test(path));
}

/** The rooms of the house: every folder of `app`. */
export const ROOMS: readonly string[] = readdirSync(inRepository("app"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Table {
  readonly MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
  readonly OUTSIDE: readonly string[];
}

const table = createRequire(import.meta.url)(inRepository("scripts/house/may-import.cjs")) as Table;

export const { MAY_IMPORT } = table;

/** The path, from the repository root, of a name in the table. */
export function placeOf(name: string): string {
  return table.OUTSIDE.includes(name) ? name : `app/${name}`;
}
