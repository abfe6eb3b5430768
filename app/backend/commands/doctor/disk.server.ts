import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Limits } from "~/platform/config/limits";
import { ok, problem, warning, type Check, type Finding } from "./check.server";

const MB = 1_000_000;

/** Whether DATA_DIR has room; with PostgreSQL the portal keeps nothing there. */
export const disk: Check = {
  name: "disk",
  needs: [],
  run: async ({ settings: { DATA_DIR, limits }, database }) => {
    if (database.kind === "postgres" && !existsSync(DATA_DIR)) return ok("nothing is kept in DATA_DIR");
    const { bavail, blocks, bsize } = await statfs(existing(resolve(DATA_DIR)));
    return judgeDisk(bavail * bsize, blocks * bsize, limits);
  },
};

/** The folder itself, or the closest parent that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Judges the free space of a disk (bytes). */
export function judgeDisk(free: number, whole: number, limits: Limits): Finding {
  const { DOCTOR_DISK_WARNING_MB, DOCTOR_DISK_WARNING_PERCENT, DOCTOR_DISK_PROBLEM_MB } = limits;
  const text = `${Math.floor(free / MB).toLocaleString("en-US")} MB free where DATA_DIR is`;
  if (free < DOCTOR_DISK_PROBLEM_MB * MB)
    return problem(`${text}: make room, or all sign-ins fail once it is full`);
  const isScarce = free < DOCTOR_DISK_WARNING_MB * MB || free < (whole * DOCTOR_DISK_WARNING_PERCENT) / 100;
  return isScarce ? warning(`${text}: make room`) : ok(text);
}
