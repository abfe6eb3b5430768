import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE = "64m";
const FILLER = "filler";
const CHUNK = Buffer.alloc(64 * 1024);

/** A disk that a test fills up or makes read-only. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it, except for this many bytes. */
  readonly fill: (left?: number) => void;
  /** Removes the filling. */
  readonly makeRoom: () => void;
  /** Refuses all writes from now on. Nothing may have a file open for writing. */
  readonly makeReadOnly: () => void;
  readonly remove: () => void;
}

/** Whether this user may mount one: only root may. */
export const CAN_MOUNT = (() => {
  try {
    mountDisk().remove();
    return true;
  } catch {
    return false;
  }
})();

/** Mounts an empty disk in memory. @throws Error if this user may not */
export function mountDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "portal-disk-"));
  const filler = join(folder, FILLER);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=700`, "tmpfs", folder], {
    encoding: "utf8",
  });
  if (mounted.status !== 0) {
    rmdirSync(folder);
    throw new Error(`no disk was mounted: ${mounted.error?.message ?? mounted.stderr}`);
  }
  return {
    folder,
    fill: (left = 0) => {
      writeUntilFull(filler);
      truncateSync(filler, statSync(filler).size - left);
    },
    makeRoom: () => {
      rmSync(filler);
    },
    makeReadOnly: () => {
      spawnSync("mount", ["-o", "remount,ro", folder]);
    },
    remove: () => {
      // Files that a failed test still has open there go with it.
      spawnSync("umount", ["--lazy", folder]);
      rmdirSync(folder);
    },
  };
}

function writeUntilFull(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, CHUNK);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(handle);
  }
}
