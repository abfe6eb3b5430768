import { execFileSync } from "node:child_process";
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
