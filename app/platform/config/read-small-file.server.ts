import { readFileSync, statSync } from "node:fs";

/** More than any secret, logo or list of certificates needs. In bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a file that an operator has named, as text. A device or a pipe could be endless (S116).
 * @throws Error if it can't be read, is no file or is too large
 */
export function readSmallFile(path: string): string {
  const found = statSync(path);
  if (!found.isFile() || found.size > MOST_BYTES) throw new Error("not a file of at most 1 MB");
  return readFileSync(path, "utf8");
}
