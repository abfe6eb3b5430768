import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { expectedJobs } from "~/backend/jobs/job-successes.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { hasPostgres, makeBareDatabase, onAnyDatabase, onServer } from "../../database";
import { runCommand } from "../../operator-command";
import { BACKUPS_MS, makePair, openBackedUp, type BackedUp } from "./backup/backed-up";
import { ZOFIA } from "./importing";
import { openTestBackend } from "../backend/test-backend";
import { newDataDir } from "../backend/test-place";

const DAY = 86_400_000;
/** The seconds that a portal shows for a job; NaN if it never succeeded. */
const shown = async (job: string) =>
  Number(
    new RegExp(`^portal_${job}_last_success_timestamp_seconds (\\S+)$`, "m").exec(await metricsText())?.[1],
  );
const checkOf = async (portal: BackedUp, name: string) =>
  new RegExp(`^(\\w+) +${name}: (.*)$`, "m").exec((await portal.run(["doctor"])).stdout)?.slice(1);

onAnyDatabase((kind) => {
  it(
    "a portal shows when each job beside it last succeeded, and portal doctor says how long ago",
    async () => {
      const portal = await openBackedUp(kind);
      onTestFinished(() => portal.close());
      const file = join(newDataDir(), "policyholders.jsonl");
      writeFileSync(file, `${JSON.stringify(ZOFIA)}\nZofia Mazur\n`);
      const jobs = [
        ["backup", ["backup"], "last backup"],
        // A refused line is no reason to look for the job.
        ["import", ["import", file], "last import"],
        ["purge", ["purge"], "last purge"],
      ] as const;
      // On PostgreSQL the purge is expected, and so are the backups of the test's BACKUP_DIR.
      expect(await checkOf(portal, "last backup")).toEqual([
        "warning",
        "there was none so far: see why portal backup does not run every day",
      ]);
      expect((await checkOf(portal, "last purge"))?.[0]).toBe(kind === "postgres" ? "warning" : "ok");
      expect(await checkOf(portal, "last import")).toEqual(["ok", "there was none"]);
      for (const [job, words, check] of jobs) {
        const before = Date.now();
        expect(await shown(job)).toBeNaN();
        await portal.run(["import", file, "--dry-run"]);
        expect(await shown("import")).toEqual(job === "purge" ? expect.any(Number) : NaN);
        await portal.run(words);
        expect(await shown(job)).toBeGreaterThanOrEqual(before / 1000);
        expect(await checkOf(portal, check)).toEqual(["ok", expect.stringMatching(/^\d+ minutes? ago$/)]);
      }
      await portal.way.change("update job_successes set succeeded_at = ?", Date.now() - 5 * DAY);
      for (const [job, , check] of jobs)
        expect(await checkOf(portal, check)).toEqual([
          "warning",
          expect.stringMatching(new RegExp(`^5 days ago: see why portal ${job} does not run`)),
        ]);
      expect(await checkOf(portal, "last followed event")).toEqual([
        "ok",
        "portal audit --follow --cursor has never run: no SIEM gets the events",
      ]);
    },
    BACKUPS_MS,
  );
});

onAnyDatabase((kind) => {
  it("a portal counts the jobs that are set up and have never succeeded", async () => {
    const way = await openTestBackend({ kind, jobs: new Set(["backup", "import"] as const) });
    onTestFinished(() => way.close());
    const without = async () => /^portal_jobs_without_success (\S+)$/m.exec(await metricsText())?.[1];
    expect(await without()).toBe("2");
    await way.change("insert into job_successes (job, succeeded_at) values ('backup', 1)");
    expect(await without()).toBe("1");
    await way.change("insert into job_successes (job, succeeded_at) values ('import', 1)");
    expect(await without()).toBe("0");
  });
});

it("what is set up: the purge of PostgreSQL, backups with BACKUP_DIR, and what EXPECTED_JOBS names", () => {
  const expected = (variables: Record<string, string>) => {
    const reading = readEnvironment(variables);
    return reading.ok ? [...expectedJobs(reading.environment)] : reading.problems;
  };
  expect(expected({})).toEqual([]);
  expect(expected({ DATABASE_URL: "postgres://portal@db/portal", BACKUP_DIR: "/backup" })).toEqual([
    "purge",
    "backup",
  ]);
  expect(expected({ EXPECTED_JOBS: "import, follow" })).toEqual(["import", "follow"]);
  expect(expected({ EXPECTED_JOBS: "importt" })).toEqual([
    "EXPECTED_JOBS: expected backup, import or follow, separated by commas",
  ]);
});

it.runIf(hasPostgres)(
  "the backup's role, which only reads, may note its backups; one that may not says what it takes",
  async () => {
    const database = await makeBareDatabase();
    const role = `portal_test_${randomBytes(6).toString("hex")}`;
    await onServer(`create role ${role} login`);
    onTestFinished(async () => {
      await database.drop();
      await onServer(`drop role ${role}`);
    });
    // As roles.sql does, before there are tables.
    await database.query(`alter default privileges in schema public grant select on tables to ${role}`);
    await database.query(`alter default privileges in schema public grant select on sequences to ${role}`);
    expect((await runCommand({ DATABASE_URL: database.url }, ["migrate"])).code).toBe(0);
    const files = newDataDir();
    const backUp = async () =>
      runCommand(
        {
          DATABASE_URL: Object.assign(new URL(database.url), { username: role, password: "" }).href,
          DATA_DIR: files,
          DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
          BACKUP_DIR: files,
          BACKUP_RECIPIENTS: (await makePair(files, "private.txt")).recipient,
        },
        ["backup"],
      );
    expect(await backUp()).toMatchObject({ code: 0, stderr: "" });
    expect(await database.query("select job from job_successes order by job")).toEqual([{ job: "backup" }]);
    await database.query(`revoke update on job_successes from ${role}`);
    expect(await backUp()).toMatchObject({
      code: 1,
      stderr:
        "portal: portals don't know of this backup: let the role in DATABASE_URL select, insert and update job_successes\n",
    });
    const may = `has_table_privilege('${role}', 'accounts', 'update')`;
    expect(await database.query(`select ${may} as may`)).toEqual([{ may: false }]);
  },
  BACKUPS_MS,
);
