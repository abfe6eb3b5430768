import { readFileSync, statSync } from "node:fs";

/** More bytes than any secret, logo or list of certificates needs. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a text file that an operator has named. Refuses devices and pipes, which could be endless (S116).
 * @throws Error if it can't be read, is not a file or is too large
 */
export function readSmallFile(path: string): string {
  const found = statSync(path);
  if (!found.isFile() || found.size > MOST_BYTES) throw new Error("not a file of at most 1 MB");
  return readFileSync(path, "utf8");
}
