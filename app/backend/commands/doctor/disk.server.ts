import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ok, problem, warning, type Check, type Finding } from "./check.server";

const MB = 1_000_000;
const LEAST_BYTES = 200 * MB;
const GOOD_BYTES = 1000 * MB;
const GOOD_SHARE = 0.1;

/** Whether DATA_DIR has room; with PostgreSQL the portal keeps nothing there. */
export const disk: Check = {
  name: "disk",
  needs: [],
  run: async ({ settings: { DATA_DIR }, database }) => {
    if (database.kind === "postgres" && !existsSync(DATA_DIR)) return ok("nothing is kept in DATA_DIR");
    const { bavail, blocks, bsize } = await statfs(existing(resolve(DATA_DIR)));
    return judgeDisk(bavail * bsize, blocks * bsize);
  },
};

/** The folder may not be there yet. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Judges the free space of a disk (bytes). */
export function judgeDisk(free: number, whole: number): Finding {
  const text = `${Math.floor(free / MB).toLocaleString("en-US")} MB free where DATA_DIR is`;
  if (free < LEAST_BYTES) return problem(`${text}: make room, or all sign-ins fail once it is full`);
  return free < GOOD_BYTES || free < whole * GOOD_SHARE ? warning(`${text}: make room`) : ok(text);
}
