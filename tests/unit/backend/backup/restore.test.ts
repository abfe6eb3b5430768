import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser, needsNoCode } from "../../../contract/browser";
import { NEW_PASSWORD, register } from "../../../contract/register";
import { ANNA, freshCustomer } from "../../../demo-customers";
import { ACT, runCommand, startCommand } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../test-backend";
import { variablesOf } from "../test-place";
import { AUDITED, goingOn, restoredEvents, trustedAnna } from "./restore-steps";

describe("a restore of SQLite", () => {
  let way: TestBackend;
  let file: string;
  const run = (...words: string[]) => runCommand(variablesOf(way.place), words);
  const restore = (...words: string[]) => run("restore", ...ACT, ...words);
  const database = () => join(way.dataDir, "portal.db");
  /** Closes the portal, lets something happen to its files, and opens it again. */
  const reopenAfter = async (happens: () => void) => {
    await way.backend.close();
    happens();
    way = await openTestBackend({ place: way.place });
  };

  beforeEach(async () => {
    way = await openTestBackend();
    file = join(way.dataDir, "backup.db");
  });
  afterEach(() => way.close());

  it("[S101] brings back accounts and passwords, but no session, device, code or message", async () => {
    const anna = await trustedAnna(way);
    const { username } = await register(way, freshCustomer(1));
    expect(run("backup", "--output", file).code).toBe(0);
    await register(way, freshCustomer(2));
    const before = await goingOn(way);
    let answer = restore("--input", file);
    expect([answer.code, answer.stderr]).toEqual([
      1,
      `portal: the data directory ${way.dataDir} is in use by another process\n`,
    ]);
    expect(await goingOn(way)).toEqual(before);

    await reopenAfter(() => {
      answer = restore("--input", file);
    });
    expect([answer.code, answer.stderr]).toEqual([0, ""]);
    expect(answer.stdout).toMatch(
      /^Restored from .*\nEnded: 2 in sessions, 1 in trusted_devices, 2 in known_browsers, 0 in login_passes, \d in codes, 0 in sms_queue, 3 in outbox\n/,
    );
    expect(new Set(Object.values(await goingOn(way)))).toEqual(new Set([0]));
    expect(await restoredEvents(way)).toEqual(AUDITED);
    const again = new Browser(way);
    for (const [name, value] of anna.cookies) again.cookies.set(name, value);
    expect((await again.get("/cp/api/profile")).status).toBe(401);
    expect(await needsNoCode(again, ANNA)).toBe(false);
    expect((await new Browser(way).login({ username, password: NEW_PASSWORD })).status).toBe(200);
    expect((await register(way, freshCustomer(2))).name).toBe(freshCustomer(2).name);
  });

  it("keeps the database from before beside it, whole, and no file of its log", async () => {
    run("backup", "--output", file);
    await register(way, freshCustomer(3));
    let kept = "";
    await reopenAfter(() => {
      ({ kept = "" } = JSON.parse(restore("--input", file, "--json").stdout) as { kept?: string });
      expect(
        readdirSync(way.dataDir)
          .filter((name) => /^portal\.db/.test(name))
          .toSorted(),
      ).toEqual(["portal.db", kept.split("/").at(-1)].toSorted());
    });
    expect(kept).toMatch(/portal\.db\.before-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/);
    const old = new SqliteConnection(kept, { mode: "ro" });
    expect(old.value("select count(*) from accounts")).toBe(7);
    old.close();
    expect(await way.query("select count(*) as accounts from accounts")).toEqual([{ accounts: 6 }]);
  });

  it("takes the place of a damaged database and its log, and of one that is gone", async () => {
    run("backup", "--output", file);
    await reopenAfter(() => {
      writeFileSync(database(), "damaged".repeat(10_000));
      for (const suffix of ["-wal", "-shm"]) writeFileSync(`${database()}${suffix}`, "of the damaged one");
      expect(restore("--input", file).code).toBe(0);
    });
    await new Browser(way).signIn(ANNA);
    await reopenAfter(() => {
      rmSync(database());
      const answer = restore("--input", file, "--json");
      expect([answer.code, answer.stdout.includes("kept")]).toEqual([0, false]);
    });
    await new Browser(way).signIn(ANNA);
  });

  it("leaves the old database or the new one, whole, however early restoring is interrupted", async () => {
    run("backup", "--output", file);
    await way.backend.close();
    for (let ms = 100; ms <= 1000; ms += 100) {
      const restoring = startCommand(variablesOf(way.place), ["restore", ...ACT, "--input", file]);
      await wait(ms);
      restoring.kill();
      await restoring.ended;
      const left = new SqliteConnection(database());
      expect(left.value("pragma quick_check"), `after ${ms} ms`).toBe("ok");
      expect(left.value("select count(*) from accounts")).toBe(6);
      left.close();
    }
    expect(restore("--input", file).code).toBe(0);
    expect(existsSync(join(way.dataDir, "portal.db.restoring"))).toBe(false);
    way = await openTestBackend({ place: way.place });
    await new Browser(way).signIn(ANNA);
  });
});
