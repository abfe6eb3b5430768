import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { until } from "../../../browsers/until";
import { hasPostgres, onAnyDatabase, type DatabaseKind, type TestDatabase } from "../../../database";
import { ACT, runCommand } from "../../../operator-command";
import { connectTo } from "../../../postgres-server";
import { IS_RELEASE } from "../../../release-run";
import { CAN_MOUNT, mountDisk } from "../../../small-disk";
import { NOON } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";
import { openSealedAudit, type SealedAudit } from "./sealed-audit";

const MARCH = Date.UTC(2024, 2, 10);
const WRITTEN = ["--format", "jsonl", "--event", "signed-in"];

/** A follower's files, which outlive its process. */
function filesIn(dataDir: string) {
  const [out, cursor] = [join(dataDir, "events.jsonl"), join(dataDir, "cursor")];
  writeFileSync(out, "");
  return { out, cursor, ids: () => idsIn(out) };
}

/** The ids of the events in a file. */
function idsIn(file: string): readonly string[] {
  return (
    readFileSync(file, "utf8")
      .split("\n")
      // The text after the last line end is still being written.
      .slice(0, -1)
      // A kill may leave a piece of a line; its event comes again on a line of its own.
      .filter((line) => line.endsWith("}"))
      .map((line) => (JSON.parse(line) as { readonly id: string }).id)
  );
}

/** Starts a follower that appends to a file, and returns how to kill it. */
function startFollower({ way }: SealedAudit, out: string, cursor: string) {
  const words = ["audit", ...ACT, ...WRITTEN, "--follow", "--cursor", cursor];
  const file = openSync(out, "a");
  const child = spawn(process.execPath, [join("build", "portal"), ...words], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...variablesOf(way.place) },
    stdio: ["ignore", file, "inherit"],
  });
  closeSync(file);
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { kill, ended };
}

async function open(kind: DatabaseKind) {
  const audit = await openSealedAudit(kind);
  const files = filesIn(audit.way.dataDir);
  const start = () => startFollower(audit, files.out, files.cursor);
  /** The ids that should have been printed, in order. */
  const stored = async () => {
    const rows = await audit.way.query(
      "select id from audit_events where event = 'signed-in' order by seq, id",
    );
    return rows.map(({ id }) => String(id));
  };
  const seen = (count: number) => until(`${count} lines`, () => Promise.resolve(files.ids().length >= count));
  return { ...files, audit, start, stored, seen };
}

onAnyDatabase((kind) => {
  describe("portal audit --follow --cursor", () => {
    it("[S153] misses nothing when it is killed again and again, and repeats at most its last line", async () => {
      const { audit, ids, start, stored, seen } = await open(kind);
      const kills = IS_RELEASE ? 6 : 3;
      await audit.write(300);
      for (let nth = 1; nth <= kills; nth += 1) {
        const follower = start();
        await seen(nth * 40);
        await audit.write(20);
        await follower.kill();
      }
      start();
      const all = await stored();
      await until("the last event", () => Promise.resolve(ids().at(-1) === all.at(-1)));
      const printed = ids();
      expect(printed.filter((id, at) => id !== printed[at - 1])).toEqual(all);
      expect(printed.length - all.length).toBeLessThanOrEqual(kills);
    });

    it("[S153] begins a line of its own after a piece of one that a kill has left", async () => {
      const { audit, out, ids, start, stored, seen } = await open(kind);
      writeFileSync(out, '{"time":"2026-11-28T21:0');
      await audit.write(2);
      start();
      await seen(2);
      expect(ids()).toEqual(await stored());
    });

    it("[S153] repeats the line that it printed and could not note any more", async () => {
      const { audit, cursor, ids, start, stored, seen } = await open(kind);
      await audit.write(1);
      const first = start();
      await seen(1);
      const before = await until("the cursor", () => Promise.resolve(readFileSync(cursor, "utf8")));
      await audit.write(1);
      await seen(2);
      await first.kill();
      expect(statSync(cursor).mode & 0o777).toBe(0o600);
      writeFileSync(cursor, before);
      await audit.write(1);
      start();
      await seen(4);
      const [one, two, three] = await stored();
      expect(ids()).toEqual([one, two, two, three]);
    });

    it("[S153] notes nothing that standard output did not take, neither in its cursor nor for portals", async () => {
      const { audit, cursor, out, ids, stored, seen, start } = await open(kind);
      const noted = () => audit.way.query("select succeeded_at from job_successes where job = 'follow'");
      await audit.write(2);
      await startFollower(audit, "/dev/full", cursor).ended;
      expect([readFileSync(cursor, "utf8"), readFileSync(out, "utf8"), await noted()]).toEqual(["", "", []]);
      const before = Date.now();
      start();
      await seen(2);
      expect(ids()).toEqual(await stored());
      await until("the note", async () => (await noted()).length > 0);
      expect(Number((await noted())[0]?.["succeeded_at"])).toBeGreaterThanOrEqual(before);
    });

    it.runIf(CAN_MOUNT && IS_RELEASE)(
      "[S153] ends on a full disk after a whole line, and goes on once there is room",
      async () => {
        const { audit, cursor, stored } = await open(kind);
        const disk = mountDisk();
        onTestFinished(disk.remove);
        const file = join(disk.folder, "events.jsonl");
        await audit.write(40);
        // A page holds some of the lines.
        disk.fill(4096);
        expect(await startFollower(audit, file, cursor).ended).toEqual([1, null]);
        const written = idsIn(file);
        expect(readFileSync(file, "utf8")).toMatch(/\}\n$/);
        const all = await stored();
        expect(written).toEqual(all.slice(0, written.length));
        disk.makeRoom();
        startFollower(audit, file, cursor);
        await until("the last event", () => Promise.resolve(idsIn(file).length >= all.length));
        expect(idsIn(file)).toEqual(all);
      },
    );

    it("[S153] goes on in the archives, if its month was archived meanwhile", async () => {
      const { audit, cursor, ids, start, stored, seen } = await open(kind);
      await audit.write(1, { at: MARCH });
      const first = start();
      await seen(1);
      // A follower that has noted nothing yet starts over, and doesn't read the archives.
      await until("the cursor", () => Promise.resolve(readFileSync(cursor, "utf8")));
      await first.kill();
      await audit.write(2, { at: MARCH + 1000 });
      await audit.write(2);
      await audit.seal();
      const all = await stored();
      const { store, keyring, folder } = audit;
      expect(await archiveMonths(store, keyring, { folder, keepMonths: 1, now: NOON })).toHaveLength(1);
      start();
      await seen(all.length);
      expect(ids()).toEqual(all);
    });

    it("[S153] refuses a cursor whose event this database doesn't have, and records nothing", async () => {
      const { audit, cursor, start, seen } = await open(kind);
      await audit.write(2);
      const follower = start();
      await seen(2);
      await follower.kill();
      await audit.way.change("update audit_events set id = 'another' where event = 'signed-in'");
      const count = async () => (await audit.way.query("select id from audit_events")).length;
      const before = await count();
      const words = ["audit", ...ACT, ...WRITTEN, "--follow", "--cursor", cursor];
      const { code, stdout, stderr } = await runCommand(variablesOf(audit.way.place), words);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /^portal: --cursor: this database does not have the event .*backup restored\?\n$/,
      );
      expect(await count()).toBe(before);
    });
  });
});

it.runIf(hasPostgres)("[S153] prints an event that commits late in its place", async () => {
  const { audit, ids, start, stored, seen } = await open("postgres");
  const database = audit.way.place.on as TestDatabase;
  await audit.write(1);
  const first = start();
  await seen(1);
  const late = await connectTo(database.url);
  onTestFinished(() => late.end());
  const finish = async (how: "commit" | "rollback") => {
    await late.query(how);
  };
  const insert = async (id: string) => {
    await late.query("begin");
    await late.query(
      `insert into audit_events (id, happened_at, event, address, request_id, device_name)
           values ('${id}', ${NOON}, 'signed-in', '', '', '')`,
    );
  };
  /** Waits until the follower has asked for events several times. */
  const rounds = async () => {
    const [now] = await database.query("select clock_timestamp()::text as now");
    const starts = new Set<unknown>();
    await until("the follower to look", async () => {
      const asked = `select query_start::text as at from pg_stat_activity where datname = '${database.name}'
            and application_name like 'portal command (%' and query_start > '${String(now?.["now"])}'`;
      for (const { at } of await database.query(asked)) starts.add(at);
      return starts.size > 4;
    });
  };
  await insert("late");
  await audit.write(1);
  await rounds();
  expect(ids()).toHaveLength(1);
  await first.kill();
  start();
  await finish("commit");
  await seen(3);
  expect(ids()).toEqual(await stored());
  expect(ids()[1]).toBe("late");

  // The number of a rolled-back event stays free.
  await insert("undone");
  await audit.write(1);
  await rounds();
  await finish("rollback");
  await seen(4);
  expect(ids()).toEqual(await stored());
});
