import { DAY, HOUR, MINUTE } from "~/platform/time.server";
import { expectedJobs, type JobName, lastSuccesses } from "../jobs/job-successes.server";
import { type Check, ok, warning } from "./check.server";

interface Expected {
  readonly job: JobName;
  /** Maximum age of the last success; same threshold as its alarm. */
  readonly maxAgeMs: number;
  /** The text of the result if a job that isn't expected has never run. */
  readonly ifNeverRun: string;
  readonly remedy: string;
}

/** Whether the jobs beside the portals still succeed; the alarms PurgeTooOld, BackupTooOld and so on watch the same. */
export const JOB_CHECKS: readonly Check[] = [
  lastSuccess("last purge", {
    job: "purge",
    maxAgeMs: 2 * DAY,
    ifNeverRun: "there was none yet: the portal purges by itself",
    remedy: "see why portal purge does not run every day, as the owner of the tables",
  }),
  lastSuccess("last backup", {
    job: "backup",
    maxAgeMs: 2 * DAY,
    ifNeverRun: "portal backup has made none: other tools may make them",
    remedy: "see why portal backup does not run every day",
  }),
  lastSuccess("last import", {
    job: "import",
    maxAgeMs: 4 * DAY,
    ifNeverRun: "there was none",
    remedy: "see why portal import does not run",
  }),
  {
    name: "import that began",
    only: "embedded",
    needs: ["tables"],
    run: async ({ db, clock }) => {
      const newest = await db()
        .selectFrom("audit_events")
        .select(["event", "happened_at"])
        .where("account_id", "is", null)
        .where("event", "in", ["import-begun", "policyholders-imported"])
        .orderBy("happened_at", "desc")
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      if (newest?.event !== "import-begun") return ok("none is unfinished");
      return warning(
        `it began ${ageInWords(clock() - newest.happened_at)} ago and has not ended: unless it still runs, it was killed or failed; run it again`,
      );
    },
  },
  lastSuccess("last followed event", {
    job: "follow",
    maxAgeMs: 15 * MINUTE,
    ifNeverRun: "portal audit --follow --cursor has never run: no SIEM gets the events",
    remedy: "see why portal audit --follow does not run, or can't write",
  }),
];

function lastSuccess(name: string, { job, maxAgeMs, ifNeverRun, remedy }: Expected): Check {
  return {
    name,
    only: "embedded",
    needs: ["tables"],
    run: async ({ db, clock, settings }) => {
      const { [job]: at } = await lastSuccesses(db());
      if (at === undefined)
        return expectedJobs(settings).has(job) ? warning(`there was none so far: ${remedy}`) : ok(ifNeverRun);
      const text = `${ageInWords(clock() - at)} ago`;
      return clock() - at <= maxAgeMs ? ok(text) : warning(`${text}: ${remedy}`);
    },
  };
}

function ageInWords(age: number): string {
  const minutes = Math.max(0, Math.floor(age / MINUTE));
  if (age < 2 * HOUR) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  return age < 2 * DAY ? `${Math.floor(age / HOUR)} hours` : `${Math.floor(age / DAY)} days`;
}
