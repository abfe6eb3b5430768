import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser } from "../../../contract/browser";
import { register } from "../../../contract/register";
import { ANNA, freshCustomer } from "../../../demo-customers";
import { ACT, startCommand } from "../../../operator-command";
import { IS_RELEASE } from "../../../release-run";
import { BACKUPS_MS, archiveAnOldMonth, openBackedUp, type BackedUp } from "./backed-up";
import { goingOn, trustedAnna } from "./restore-steps";

describe("a restore of SQLite", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  const database = () => join(portal.way.dataDir, "portal.db");
  beforeEach(async () => {
    portal = await openBackedUp();
  });
  afterEach(() => portal.close());

  it("is refused while the portal runs, and ends nothing", async () => {
    await trustedAnna(portal.way);
    const before = await goingOn(portal.way);
    const { code, stderr } = await portal.restore(await portal.backUp());
    expect([code, stderr]).toEqual([
      1,
      `portal: the data directory ${portal.way.dataDir} is in use by another process\n`,
    ]);
    expect(await goingOn(portal.way)).toEqual(before);
  });

  it("keeps the database from before beside the new one, whole, and no file of its log", async () => {
    const file = await portal.backUp();
    await register(portal.way, freshCustomer(3));
    let kept = "";
    await portal.reopenAfter(async () => {
      ({ kept = "" } = JSON.parse((await portal.restore(file, "--json")).stdout) as { kept?: string });
      expect(
        readdirSync(portal.way.dataDir)
          .filter((name) => /^portal\.db/.test(name))
          .toSorted(),
      ).toEqual(["portal.db", kept.split("/").at(-1)].toSorted());
    });
    expect(kept).toMatch(/portal\.db\.before-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/);
    const old = new SqliteConnection(kept, { mode: "ro" });
    expect(old.value("select count(*) from accounts")).toBe(7);
    old.close();
    expect(await portal.way.query("select count(*) as accounts from accounts")).toEqual([{ accounts: 6 }]);
  });

  it("replaces a damaged database and its log, and one that is gone", async () => {
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      writeFileSync(database(), "damaged".repeat(10_000));
      for (const suffix of ["-wal", "-shm"]) writeFileSync(`${database()}${suffix}`, "of the damaged one");
      expect((await portal.restore(file)).code).toBe(0);
    });
    await new Browser(portal.way).signIn(ANNA);
    await portal.reopenAfter(async () => {
      rmSync(database());
      const answer = await portal.restore(file, "--json");
      expect([answer.code, "kept" in JSON.parse(answer.stdout)]).toEqual([0, false]);
    });
    await new Browser(portal.way).signIn(ANNA);
  });

  it("leaves the old database or the new one, whole, however early restoring is interrupted", async () => {
    const file = await portal.backUp();
    const words = ["restore", ...ACT, "--input", file, "--identity", portal.identity];
    await portal.reopenAfter(async () => {
      for (let ms = 100; ms <= 1000; ms += IS_RELEASE ? 100 : 300) {
        const restoring = startCommand(portal.env, words);
        await wait(ms);
        restoring.kill();
        await restoring.ended;
        const left = new SqliteConnection(database());
        expect(left.value("pragma quick_check"), `after ${ms} ms`).toBe("ok");
        expect(left.value("select count(*) from accounts")).toBe(6);
        left.close();
      }
      expect((await portal.restore(file)).code).toBe(0);
      expect(existsSync(`${database()}.restoring`)).toBe(false);
    });
    await new Browser(portal.way).signIn(ANNA);
  });

  it("goes on without an archive of the audit that is lost, damaged or can't be written, and says so", async () => {
    const archives = await archiveAnOldMonth(portal);
    const [archive = ""] = readdirSync(archives);
    const file = await portal.backUp();
    const copy = join(portal.folder, `${archive}.age`);
    const whole = readFileSync(copy);
    await portal.reopenAfter(async () => {
      rmSync(archives, { recursive: true });
      for (const spoil of [() => writeFileSync(copy, "damaged"), () => rmSync(copy)]) {
        spoil();
        const { code, stdout } = await portal.restore(file);
        expect(code).toBe(1);
        expect(stdout).toContain(`archives:\n  restored: none\n  missing:\n    - ${archive}\nnotes:`);
        expect(readdirSync(archives)).toEqual([]);
      }
      writeFileSync(copy, whole);
      rmSync(archives, { recursive: true });
      writeFileSync(archives, "no folder");
      const { code, stdout, stderr } = await portal.restore(file);
      expect([code, stderr]).toEqual([1, ""]);
      expect(stdout).toMatch(/\nended:\n/);
      expect(stdout).toContain(`\n  missing:\n    - ${archive}\n`);
      expect(stdout).toMatch(/\n {2}problem: (?:EEXIST|ENOTDIR)/);
    });
  });
});
