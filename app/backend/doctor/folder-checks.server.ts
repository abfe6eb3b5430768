import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { auditSettings } from "~/platform/config/audit-settings.server";
import type { Limits } from "~/platform/config/limits";
import { type Check, type Finding, ok, problem, warning } from "./check.server";

const MB = 1_000_000;

/** The checks of the folders that the portal and its jobs write to, and of their disks. */
export const FOLDER_CHECKS: readonly Check[] = [
  {
    name: "disk",
    only: "embedded",
    run: async ({ settings: { DATA_DIR, limits }, database }) => {
      if (database.kind === "postgres" && !existsSync(DATA_DIR)) return ok("nothing is kept in DATA_DIR");
      return diskFinding(await spaceOf(existing(resolve(DATA_DIR))), limits, "DATA_DIR");
    },
  },
  {
    name: "backups' disk",
    only: "embedded",
    run: async ({ settings: { BACKUP_DIR, limits } }) => {
      if (BACKUP_DIR === undefined) return ok("not looked at: BACKUP_DIR is not set");
      if (!existsSync(BACKUP_DIR))
        return warning(`${BACKUP_DIR} is not there: mount it, or no backup is made`);
      return otherDiskFinding(await spaceOf(BACKUP_DIR), limits, "BACKUP_DIR", "no backup is made");
    },
  },
  {
    name: "archive's disk",
    only: "embedded",
    run: async ({ settings }) => {
      const { AUDIT_ARCHIVE_DIR: named, limits } = settings;
      if (named === undefined && !existsSync(settings.DATA_DIR)) return ok("no month is archived yet");
      const { folder } = auditSettings(settings);
      if (named !== undefined && !existsSync(named))
        return warning(`${named} is not there: mount it, or portal purge archives nothing`);
      return otherDiskFinding(
        await spaceOf(existing(resolve(folder))),
        limits,
        "audit months are archived",
        "portal purge archives nothing",
      );
    },
  },
];

/** Free and whole, in bytes. */
interface Space {
  readonly free: number;
  readonly whole: number;
}

/** Judges the disk of the database. */
export function diskFinding(space: Space, limits: Limits, place: string): Finding {
  const text = inWords(space, place);
  if (isFull(space, limits)) return problem(`${text}: make room, or all sign-ins fail once it is full`);
  return isScarce(space, limits) ? warning(`${text}: make room`) : ok(text);
}

/** Judges a disk without which customers are still served. */
function otherDiskFinding(space: Space, limits: Limits, place: string, once: string): Finding {
  const text = inWords(space, place);
  return isFull(space, limits) || isScarce(space, limits)
    ? warning(`${text}: make room, or ${once} once it is full`)
    : ok(text);
}

function isFull({ free }: Space, { DOCTOR_DISK_PROBLEM_MB }: Limits): boolean {
  return free < DOCTOR_DISK_PROBLEM_MB * MB;
}

function isScarce({ free, whole }: Space, limits: Limits): boolean {
  const { DOCTOR_DISK_WARNING_MB, DOCTOR_DISK_WARNING_PERCENT } = limits;
  return free < DOCTOR_DISK_WARNING_MB * MB || free < (whole * DOCTOR_DISK_WARNING_PERCENT) / 100;
}

function inWords({ free }: Space, place: string): string {
  return `${Math.floor(free / MB).toLocaleString("en-US")} MB free where ${place.endsWith("_DIR") ? `${place} is` : place}`;
}

async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, whole: blocks * bsize };
}

/** The folder itself, or the closest parent that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
