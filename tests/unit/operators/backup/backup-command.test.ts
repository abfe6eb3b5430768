import { readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../browsers/until";
import { onAnyDatabase } from "../../../database";
import { runCommand, runProgram, startCommand } from "../../../operator-command";
import { migratePlace, newDataDir } from "../../backend/test-place";
import { BACKUPS_MS, archiveAnOldMonth, openBackedUp, type BackedUp } from "./backed-up";

const ONE_LINE = /^portal: [^\n]+\n$/;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The time (ms) until the backup that a started command has to wait for is due. */
const SOON = 1500;
/** The beginning of the name of a backup made at that time. */
const beginningAt = (at: number) => `portal-${new Date(at).toISOString().replaceAll(":", "")}`;
const nameAt = (at: number) => `${beginningAt(at)}.sqlite.age`;

onAnyDatabase((kind) => {
  describe("portal backup", { timeout: BACKUPS_MS }, () => {
    let portal: BackedUp;
    beforeAll(async () => {
      portal = await openBackedUp(kind);
    });
    beforeEach(() => {
      for (const name of readdirSync(portal.folder)) rmSync(join(portal.folder, name));
    });
    afterAll(() => portal.close());

    it("says in one line that the disk is full, exits with 1, and leaves the backups that are there", ({
      skip,
    }) => {
      const small = newDataDir();
      const old = "portal-2020-01-01T000000.000Z.sqlite.age";
      const script = `mount -t tmpfs -o size=20k tmpfs "$0" && echo >"$0/${old}" || exit 3
        "$1" build/portal backup; ended=$?; ls "$0"; exit $ended`;
      const { code, stdout, stderr } = runProgram(
        "unshare",
        ["-rm", "sh", "-c", script, small, process.execPath],
        { ...portal.env, BACKUP_DIR: small },
      );
      skip((code === null || code === 3) && process.env["CI"] !== "true", "no file system can be mounted");
      expect([code, stdout]).toEqual([1, `${old}\nportal-backup.lock\n`]);
      expect(stderr).toMatch(/^portal: ENOSPC: no space left on device[^\n]*\n$/);
    });

    it("--every makes one at once, and the next when that one is old enough, even after a restart", async () => {
      const makes = async (count: number, seconds: number) => {
        const { ended, kill } = startCommand(portal.env, ["backup", "--every", String(seconds)]);
        await until("a backup", () => Promise.resolve(portal.backups().length >= count));
        kill();
        await ended;
      };
      await makes(2, 1);
      const [first = "", ...later] = portal.backups().toSorted();
      for (const name of later) rmSync(join(portal.folder, name));
      const madeAt = Date.now() - HOUR + SOON;
      renameSync(join(portal.folder, first), join(portal.folder, nameAt(madeAt)));
      await makes(2, HOUR / 1000);
      const [, next = ""] = portal.backups().toSorted();
      expect(next >= beginningAt(madeAt + HOUR)).toBe(true);
    });

    it("[S157] lets doctor see whether the last one is recent, and whether its MAC can be checked", async () => {
      const said = async () =>
        /^(\w+) +backups: (.*)$/m.exec((await portal.run(["doctor"])).stdout)?.slice(1);
      expect(await said()).toEqual(["warning", expect.stringContaining("has no backup")]);
      const leaveBackup = (at: number) => writeFileSync(join(portal.folder, nameAt(at)), "encrypted");
      leaveBackup(Date.now() - 3 * DAY);
      expect(await said()).toEqual([
        "warning",
        expect.stringMatching(/^the last one is 72 hours old: see why/),
      ]);
      leaveBackup(Date.now() - DAY);
      const text = "the last one is 24 hours old";
      expect(await said()).toEqual(["warning", `${text}, and restore would refuse it: it has no MAC`]);
      const mac = `${join(portal.folder, portal.backups().at(-1) ?? "")}.mac`;
      const leaveMac = (keyVersion: number) =>
        writeFileSync(mac, JSON.stringify({ madeAt: new Date().toISOString(), keyVersion, mac: "" }));
      leaveMac(7);
      expect(await said()).toEqual([
        "warning",
        `${text}, and restore would refuse it: DATA_KEYS lacks key 7 of its MAC`,
      ]);
      leaveMac(1);
      expect(await said()).toEqual(["ok", text]);
    });

    it("of a database without the portal's tables is refused: it would end up replacing good ones", async () => {
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        const { code, stderr } = await portal.run(["backup"]);
        expect([code, portal.backups()]).toEqual([1, []]);
        expect(stderr).toMatch(ONE_LINE);
        await migratePlace(portal.way.place);
      });
    });

    it("names an archive of the audit that is lost, and keeps the copy of one whose folder is gone", async () => {
      const archives = await archiveAnOldMonth(portal);
      const [archive = ""] = readdirSync(archives);
      await portal.backUp();
      const copy = join(portal.folder, `${archive}.age`);
      utimesSync(copy, 0, 0);
      rmSync(archives, { recursive: true });
      await portal.backUp();
      expect(statSync(copy).mtimeMs).toBeGreaterThan(Date.now() - DAY);
      rmSync(copy);
      const { code, stdout, stderr } = await portal.run(["backup"]);
      expect([code, portal.backups().length]).toEqual([1, 3]);
      expect(stdout).toMatch(/^database: \w+\nfile: /);
      expect(stderr).toBe(
        `portal: archived months of the audit are neither in ${archives} nor among the backups: ${archive}\n`,
      );
    });
  });
});

describe("portal backup-key", () => {
  it("makes a pair: the private key in a file for its owner only, and not on the terminal", async () => {
    const file = join(newDataDir(), "key.txt");
    const { code, stdout } = await runCommand({}, ["backup-key", "--output", file]);
    const [, recipient = "", key = ""] =
      /^# public key: (age1\S+)\n(AGE-SECRET-KEY-1\S+)\n$/.exec(readFileSync(file, "utf8")) ?? [];
    expect([code, stdout.includes(recipient), stdout.includes(key)]).toEqual([0, true, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await runCommand({}, ["backup-key", "--output", file]);
    expect([again.code, again.stderr]).toEqual([2, `portal: --output: ${file} exists already\n`]);
  });
});
