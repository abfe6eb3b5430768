import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MB = 1024 * 1024;

/** A disk that a test can fill or make read-only. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left. */
  readonly fill: () => void;
  /** Gives that room back. */
  readonly makeRoom: () => void;
  /** Refuses all writes from now on. Nothing may have a file open for writing. */
  readonly makeReadOnly: () => void;
  readonly remove: () => void;
}

/** Whether this process may mount disks: root may, also in most containers. */
export const canMount = isPossible();

/** Mounts a disk of this size in memory. */
export function mountSmallDisk(mb: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  mount(["-t", "tmpfs", "-o", `size=${mb}m`, "tmpfs", folder]);
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => {
      fillWith(filler, mb * MB);
    },
    makeRoom: () => {
      rmSync(filler);
    },
    makeReadOnly: () => {
      mount(["-o", "remount,ro", folder]);
    },
    remove: () => {
      run("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillWith(file: string, bytes: number): void {
  for (let size = bytes; size >= 1; size /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

function mount(words: readonly string[]): void {
  run("mount", words);
}

function run(program: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

function isPossible(): boolean {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
