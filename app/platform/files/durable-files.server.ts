import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

/** Creates a file that only its owner can read, and syncs it to disk. @throws Error if the file exists */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Syncs a file to disk, or a folder after a file in it was created, renamed or deleted. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Whether an error says that a file or folder doesn't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
