import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * The addresses of the files in these folders, which Express serves. They are read once: a file that is added while the
 * portal runs is not found, and a made-up name never costs a look at the disk.
 * @param folders those that don't exist are skipped
 */
export function filesIn(...folders: readonly string[]): ReadonlySet<string> {
  return new Set(folders.flatMap(filesBelow));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => `/${name}`);
  } catch {
    return [];
  }
}

/** Whether an address is that of a file; it may be percent-encoded. */
export function isFile(files: ReadonlySet<string>, path: string): boolean {
  if (!path.includes("%")) return files.has(path);
  try {
    return files.has(decodeURIComponent(path));
  } catch {
    return false;
  }
}
