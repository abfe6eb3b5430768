import { existsSync } from "node:fs";
import { DAY, HOUR } from "~/platform/time.server";
import { newestBackup } from "../backup/backup-folder.server";
import { ok, warning, type Check } from "./check.server";

/** A daily backup may be late, and may fail once. */
const GOOD_MS = 2 * DAY;

/** Whether the last backup is recent. */
export const backups: Check = {
  name: "backups",
  needs: [],
  run: ({ settings: { BACKUP_DIR }, clock }) => {
    if (BACKUP_DIR === undefined) return Promise.resolve(ok("not looked at: BACKUP_DIR is not set"));
    if (!existsSync(BACKUP_DIR)) return Promise.resolve(warning(`${BACKUP_DIR} is not there: mount it`));
    const newest = newestBackup(BACKUP_DIR, clock());
    if (!newest) return Promise.resolve(warning(`${BACKUP_DIR} has no backup: run portal backup every day`));
    const age = clock() - newest.madeAt;
    const text = `the last one is ${Math.floor(age / HOUR)} hours old`;
    return Promise.resolve(
      age <= GOOD_MS ? ok(text) : warning(`${text}: see why portal backup does not run`),
    );
  },
};
