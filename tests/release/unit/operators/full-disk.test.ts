import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onAnyDatabase } from "../../../database";
import { Browser } from "../../../contract/browser";
import { PIOTR } from "../../../demo-customers";
import { ACT, runCommand, type CommandResult } from "../../../operator-command";
import { CAN_MOUNT, mountDisk, type SmallDisk } from "../../../small-disk";
import { NOON, openTestBackend } from "../../../unit/backend/test-backend";
import { placeOnSqlite, variablesOf } from "../../../unit/backend/test-place";

/** Nine years, in ms. */
const LONG_AGO = NOON - Date.UTC(2017, 10, 20, 12);
const KB = 1024;
const LINES = 600;

/** Expects nothing but one line for the operator. */
function expectOneLine(result: CommandResult): void {
  expect(result.stdout).toBe("");
  expectFailure(result);
}

function expectFailure({ code, stderr }: CommandResult): void {
  expect(code).toBe(1);
  expect(stderr).toMatch(/^portal: [^\n]*\b(full|no space left)\b[^\n]*\n$/);
}

describe.runIf(CAN_MOUNT)("on a full disk", () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = mountDisk();
  });
  afterEach(() => {
    disk.remove();
  });

  it("an import on SQLite stops with one line, sums up what it has taken, and goes on once there is room", async () => {
    const way = await openTestBackend({ place: placeOnSqlite(join(disk.folder, "data")) });
    const uninsured = () =>
      way.query("select id from customers where id not in (select customer_id from policies)");
    const count = async () => Number((await way.query("select count(*) as n from customers"))[0]?.n);
    const before = await count();
    const lines = Array.from({ length: LINES }, (_, nth) => lineOf(nth)).join("");
    const run = () => runCommand(variablesOf(way.place), ["import", "-", "--json"], lines);
    disk.fill(300 * KB);
    const stopped = await run();
    expectFailure(stopped);
    const imported = (await count()) - before;
    expect(JSON.parse(stopped.stdout)).toMatchObject({ policyholders: { new: imported } });
    expect(imported).toBeLessThan(LINES);
    expect(await uninsured()).toEqual([]);
    disk.makeRoom();
    const again = await run();
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      policyholders: { new: LINES - imported, unchanged: imported, refused: 0 },
    });
    await way.close();
  });

  onAnyDatabase((kind) => {
    it("an export leaves nothing behind, and no event that says it was made", async () => {
      const way = await openTestBackend({ kind });
      const output = join(disk.folder, "export");
      const words = ["export", "--policy-no", PIOTR.policyNo, ...ACT, "--output", output];
      disk.fill();
      expectOneLine(await runCommand(variablesOf(way.place), words));
      disk.makeRoom();
      expect(readdirSync(disk.folder)).toEqual([]);
      expect(await way.query("select id from audit_events where event = 'data-exported'")).toEqual([]);
      expect((await runCommand(variablesOf(way.place), words)).code).toBe(0);
      await way.close();
    });

    it("archiving deletes no event and leaves no file, and works once there is room", async () => {
      const way = await openTestBackend({ kind });
      await new Browser(way).signIn(PIOTR);
      await way.change("update audit_events set happened_at = happened_at - ?", LONG_AGO);
      const env = { ...variablesOf(way.place), AUDIT_ARCHIVE_DIR: disk.folder };
      const events = () => way.query("select id from audit_events order by id");
      const before = await events();
      expect(before.length).toBeGreaterThan(0);
      disk.fill();
      expectOneLine(await runCommand(env, ["purge"]));
      disk.makeRoom();
      expect(readdirSync(disk.folder)).toEqual([]);
      expect(await events()).toEqual(before);
      expect(await runCommand(env, ["purge"])).toMatchObject({ code: 0, stderr: "" });
      expect([readdirSync(disk.folder).length, await events()]).toEqual([1, []]);
      expect((await runCommand(env, ["audit", "--verify"])).code).toBe(0);
      await way.close();
    });
  });
});

/** A line of an import: a customer with one policy. */
function lineOf(nth: number): string {
  const number = String(nth).padStart(4, "0");
  const policy = {
    name: "OC",
    validFrom: "2026-01-01",
    validTo: "2026-12-31",
    policyNo: `POL-DISK-${number}`,
  };
  const policyholder = {
    kind: "no-id",
    name: `Jan Disk ${number}`,
    phone: "+48500900001",
    pid: `PAS${number}`,
  };
  return `${JSON.stringify({ ...policyholder, policies: [policy] })}\n`;
}
