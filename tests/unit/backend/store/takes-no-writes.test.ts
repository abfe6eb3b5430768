import { rmSync } from "node:fs";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { inSqliteWords, named } from "~/backend/store/sqlite-connection.server";
import { until } from "../../../browsers/until";
import { Browser } from "../../../contract/browser";
import { hasPostgres, onServer } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { CAN_MOUNT, mountDisk } from "../../../small-disk";
import { type TestBackend, openTestBackend } from "../test-backend";
import { emptyPlace, placeOnSqlite } from "../test-place";

const UNAVAILABLE = [503, { errorCode: "unavailable", retryAfterSeconds: 5 }];

afterEach(() => {
  vi.restoreAllMocks();
});

/** The answer to a sign-in while the database takes no writes. */
async function refusal(way: TestBackend, who: typeof ANNA) {
  const answer = await new Browser(way).login(who);
  return [answer.status, answer.body];
}

/** Lets the time pass for which a refused write counts. */
function passTime(): void {
  const later = performance.now() + 10_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
}

describe.skipIf(!CAN_MOUNT)("[S115] a portal whose SQLite disk is full", () => {
  it("says that it is unavailable, names the disk in the log, and recovers when there is room", async () => {
    const disk = mountDisk();
    onTestFinished(() => {
      disk.remove();
    });
    const way = await openTestBackend({ place: placeOnSqlite(disk.folder) });
    onTestFinished(() => way.backend.close());
    await new Browser(way).signIn(ANNA);
    expect(await way.backend.ready()).toBe(true);

    disk.fill();
    expect(await refusal(way, PIOTR)).toEqual(UNAVAILABLE);
    expect(await way.backend.ready()).toBe(false);
    expect(way.logged.join("")).toContain("SQLite cannot be used now: its disk is full (SQLITE_FULL)");

    disk.makeRoom();
    passTime();
    expect(await way.backend.ready()).toBe(true);
    await new Browser(way).signIn(PIOTR);
  });

  it("does not start on a read-only disk, and says so in one line", async () => {
    const disk = mountDisk();
    onTestFinished(() => {
      disk.remove();
    });
    const place = placeOnSqlite(disk.folder);
    await (await openTestBackend({ place })).backend.close();
    disk.makeReadOnly();
    const error: unknown = await openTestBackend({ place }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartRefusal);
    expect((error as StartRefusal).message).toMatch(/^[^\n]*read-only[^\n]*$/);
  });
});

it.each([
  ["SQLITE_READONLY", 8, "it is read-only"],
  ["SQLITE_IOERR", 10 | (3 << 8), "its disk fails"],
  ["SQLITE_CORRUPT", 11, "its file is damaged"],
])("SQLite's %s (%i) is said in words: %s", (code, errcode, words) => {
  const error = named(Object.assign(new Error("disk I/O error"), { errcode }));
  expect(inSqliteWords(error)).toMatchObject({
    name: "DatabaseUnavailable",
    message: `SQLite cannot be used now: ${words} (${code})`,
  });
  const own = named(Object.assign(new Error("no such table"), { errcode: 1 }));
  expect(inSqliteWords(own)).toBe(own);
});

describe.skipIf(!hasPostgres)("[S115] a portal whose PostgreSQL takes no writes", () => {
  async function open() {
    const place = await emptyPlace("postgres");
    const way = await openTestBackend({ place });
    onTestFinished(async () => {
      await way.close();
      rmSync(place.dataDir, { recursive: true, force: true });
    });
    await new Browser(way).signIn(ANNA);
    return { way, place, name: place.on?.name ?? "" };
  }

  /** As in a failover: connections break, and the server that answers afterwards is a standby, or the primary again. */
  async function failOver(name: string, to: "standby" | "primary"): Promise<void> {
    await onServer(
      `alter database ${name} set default_transaction_read_only to ${to === "standby" ? "on" : "off"}`,
    );
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  }

  it("after a failover to a standby: unavailable and not ready, until it is the primary", async () => {
    const { way, name } = await open();
    expect(await way.backend.ready()).toBe(true);
    await failOver(name, "standby");
    // The first connections that are used may be broken ones.
    await until("the standby to refuse a sign-in", async () => {
      expect(await refusal(way, PIOTR)).toEqual(UNAVAILABLE);
      return way.logged.join("").includes("PostgreSQL cannot be used now: it takes no writes");
    });
    expect(await way.backend.ready()).toBe(false);
    await failOver(name, "primary");
    passTime();
    await until("the primary to take writes", () => way.backend.ready());
    await new Browser(way).signIn(PIOTR);
  });

  it("is not ready after a failover to a standby, even if nobody has tried to sign in", async () => {
    const { way, name } = await open();
    await failOver(name, "standby");
    expect(await way.backend.ready()).toBe(false);
  });

  it("with a full disk: unavailable, and not ready, though a small write still goes through", async () => {
    const { way, place } = await open();
    await place.query(`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await place.query(
      "create trigger no_room before insert on sessions for each row execute function no_room()",
    );
    expect(await way.backend.ready()).toBe(true);
    expect(await refusal(way, PIOTR)).toEqual(UNAVAILABLE);
    expect(await way.backend.ready()).toBe(false);
    expect(way.logged.join("")).toContain("PostgreSQL cannot be used now: its disk is full");
    await place.query("drop trigger no_room on sessions");
    passTime();
    expect(await way.backend.ready()).toBe(true);
    await new Browser(way).signIn(PIOTR);
  });
});
