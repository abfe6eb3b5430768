import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { hasPostgres, makeBareDatabase, onEachDatabase, onServer } from "../../database";
import { runCommand } from "../../operator-command";
import { BACKUPS_MS, makePair, openBackedUp, type BackedUp } from "./backup/backed-up";
import { newDataDir } from "../backend/test-place";

const DAY = 86_400_000;
const ZOFIA = {
  kind: "individual",
  name: "Zofia Mazur",
  phone: "+48500900001",
  pid: "92020212340",
  policies: [{ policyNo: "POL-900001", name: "OC", validFrom: "2026-03-01", validTo: "2027-02-28" }],
};

/** The seconds that a portal shows for a job; NaN if it never succeeded. */
const shown = async (job: string) =>
  Number(
    new RegExp(`^portal_${job}_last_success_timestamp_seconds (\\S+)$`, "m").exec(await metricsText())?.[1],
  );
const checkOf = async (portal: BackedUp, name: string) =>
  new RegExp(`^(\\w+) +${name}: (.*)$`, "m").exec((await portal.run(["doctor"])).stdout)?.slice(1);

onEachDatabase((kind) => {
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
      // A purge is expected from the beginning.
      await portal.way.change("update job_successes set succeeded_at = 0 where job = 'purge'");
      for (const [job, words, check] of jobs) {
        const before = Date.now();
        expect(await shown(job)).toBe(job === "purge" ? 0 : NaN);
        await portal.run(["import", file, "--dry-run"]);
        expect(await shown("import")).toEqual(job === "purge" ? expect.any(Number) : NaN);
        await portal.run(words);
        expect(await shown(job)).toBeGreaterThanOrEqual(before / 1000);
        expect(await checkOf(portal, check)).toEqual(["ok", expect.stringMatching(/^\d+ minutes ago$/)]);
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
    expect(await database.query("select job from job_successes order by job")).toEqual([
      { job: "backup" },
      { job: "purge" },
    ]);
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
