import { type Kysely, sql } from "kysely";
import { SECOND } from "~/platform/time.server";
import type { Environment } from "~/platform/config/environment.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { lastSeal } from "../audit/seal-events.server";
import type { Reader } from "../store/store.server";
import type { Tables } from "../store/tables.server";

/** A job beside the portals, in a process of its own. `follow` passes events on to a SIEM. */
export type JobName = Tables["job_successes"]["job"];

/** When jobs last succeeded (ms). A job that never succeeded is missing. */
export type JobSuccesses = Readonly<Partial<Record<JobName, number>>>;

/** The jobs that are set up here, so that a job that never runs is reported, too. On SQLite a portal purges by itself. */
export function expectedJobs({ EXPECTED_JOBS, BACKUP_DIR, DATABASE_URL }: Environment): ReadonlySet<JobName> {
  return new Set<JobName>([
    ...(DATABASE_URL === undefined ? [] : ["purge" as const]),
    ...(BACKUP_DIR === undefined ? [] : ["backup" as const]),
    ...EXPECTED_JOBS,
  ]);
}

/** Remembers that a job has succeeded: every portal shows when, since nothing scrapes the job itself. @param at ms */
export async function noteSuccess(db: Kysely<Tables>, job: JobName, at: number): Promise<void> {
  await db
    .insertInto("job_successes")
    .values({ job, succeeded_at: at })
    .onConflict((conflict) =>
      conflict.column("job").doUpdateSet({ succeeded_at: sql.ref("excluded.succeeded_at") }),
    )
    .execute();
}

/** Reads when jobs last succeeded. */
export async function lastSuccesses(db: Reader): Promise<JobSuccesses> {
  const rows = await db.selectFrom("job_successes").selectAll().execute();
  return Object.fromEntries(rows.map(({ job, succeeded_at }) => [job, succeeded_at]));
}

const NEVER = "unknown if never";

/** Describes the database, so every process reports the same. */
const jobLevels = levels({
  purge: {
    name: "portal_purge_last_success_timestamp_seconds",
    help: `When the last purge of old months of the audit succeeded; ${NEVER}`,
  },
  seal: {
    name: "portal_seal_last_success_timestamp_seconds",
    help: `When the audit's newest seal was made; ${NEVER}. There is none without new events`,
  },
  backup: {
    name: "portal_backup_last_success_timestamp_seconds",
    help: `When the last good backup was begun; ${NEVER}`,
  },
  import: {
    name: "portal_import_last_success_timestamp_seconds",
    help: `When the last import had read its file to the end; ${NEVER}`,
  },
  unproven: {
    name: "portal_jobs_without_success",
    help: "How many jobs are set up here (EXPECTED_JOBS, BACKUP_DIR, the purge) and have never succeeded",
  },
  follow: {
    name: "portal_follow_last_success_timestamp_seconds",
    help: `When the SIEM's follower had last passed on every event; ${NEVER}`,
  },
});

/** Connects the gauges of jobs to the database. */
export function showJobs(db: Reader, expected: ReadonlySet<JobName>): void {
  jobLevels.feed(async () => {
    const last = await lastSuccesses(db);
    const sealedAt = (await lastSeal(db))?.sealed_at;
    const inSeconds = (ms = NaN) => ms / SECOND;
    return {
      purge: inSeconds(last.purge),
      seal: inSeconds(sealedAt),
      backup: inSeconds(last.backup),
      import: inSeconds(last.import),
      follow: inSeconds(last.follow),
      unproven: [...expected].filter((job) => last[job] === undefined).length,
    };
  });
}
