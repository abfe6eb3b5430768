import { chmodSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, onAnyDatabase, onEachDatabase } from "../../../database";
import { withClient } from "../../../postgres-server";
import { ACT, runCommand } from "../../../operator-command";
import { addLaterMigration, makeTablesBefore } from "../../backend/store/previous-release";
import { openTestBackend, type TestBackend } from "../../backend/test-backend";
import { barePlace, newDataDir, variablesOf } from "../../backend/test-place";

const FAR = Date.UTC(2100, 0, 1);
const KEY = `1:${randomBytes(32).toString("base64")}`;
/** On PostgreSQL a portal that starts only waits for the tables (S117). */
const HOW_TO_MIGRATE = {
  sqlite: "run portal migrate, or start a portal of this version",
  postgres: "run portal migrate as the role that owns the tables (MIGRATION_DATABASE_URL)",
};

async function examine(env: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand(env, ["doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string; text: string }[] };
  const found = (name: string) => checks.find((check) => check.name === name);
  return { code, stderr, names: checks.map(({ name }) => name), found };
}

onEachDatabase((kind) => {
  describe("portal doctor, next to a running portal", () => {
    let way: TestBackend;
    let env: Record<string, string>;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      env = variablesOf(way.place);
    });
    afterEach(() => way.close());

    it("prints a line for each check, exits with 0 if none finds a problem, and changes nothing", async () => {
      const rows = async () => [
        await way.query("select * from facts"),
        await way.query("select * from windows"),
      ];
      const before = await rows();
      const { code, stdout, stderr } = await runCommand(env, ["doctor"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^(?:(?:ok {7}|warning {2})[a-zA-Z,' _]+: [^\n]+\n){35}$/);
      expect(stdout).not.toMatch(/undefined|NaN|Error/);
      expect(await rows()).toEqual(before);
    });

    it("[S101] finds a restore that is not finished, and says what to do", async () => {
      expect((await examine(env)).found("restore")).toMatchObject({
        level: "ok",
        text: "none is unfinished",
      });
      if (kind === "postgres") await way.query("create table portal_restore ()");
      else writeFileSync(join(way.dataDir, "portal.db.restoring"), "");
      expect((await examine(env)).found("restore")).toMatchObject(
        kind === "postgres"
          ? {
              level: "problem",
              text: "a backup is being restored, and portals wait: if that was interrupted, run portal restore --after-restore",
            }
          : {
              level: "warning",
              text: expect.stringMatching(
                /run portal restore again, or delete \S+portal\.db\.restoring,/,
              ) as string,
            },
      );
      if (kind === "postgres") await way.query("drop table portal_restore");
    });

    it("names the builds of all processes on the database, such as the help desk's", async () => {
      const builds = async () => (await examine(env)).found("builds");
      if (kind === "sqlite") {
        expect(await builds()).toMatchObject({ level: "ok", text: "one portal serves" });
        return;
      }
      expect(await builds()).toMatchObject({
        level: "ok",
        text: "all processes on the database run this build",
      });
      const beside = <Value>(name: string, work: () => Promise<Value>) =>
        withClient(`${way.place.on?.url ?? ""}?application_name=${encodeURIComponent(name)}`, work);
      const found = await beside("portal help desk (0123456789ab)", builds);
      expect(found?.level).toBe("warning");
      expect(found?.text).toContain("on the database are also: portal help desk 0123456789ab; ");
    });

    it("[S158] finds what the migrations have not made, what is changed and what is missing", async () => {
      const schema = async () => (await examine(env)).found("schema");
      expect(await schema()).toMatchObject({ level: "ok", text: "it is what the migrations make" });
      await way.query("create view spy as select 1 as one");
      const { code, found } = await examine(env);
      expect([code, found("schema")]).toEqual([
        1,
        {
          name: "schema",
          level: "problem",
          text: "not made by the migrations: view spy: find out who did that, and undo it",
        },
      ]);
      await way.query("drop view spy");
      await way.query("drop index by_codes_ends_at");
      expect((await schema())?.text).toContain("missing: index by_codes_ends_at on codes: ");
      await way.query("create index by_codes_ends_at on codes (sent_at)");
      expect((await schema())?.text).toContain("changed: index by_codes_ends_at on codes: ");
      await way.query("drop index by_codes_ends_at");
      await way.query("create index by_codes_ends_at on codes (ends_at)");
      expect(await schema()).toMatchObject({ level: "ok" });
    });

    it("[S158] leaves it to a later release's doctor what that has made", async () => {
      await addLaterMigration(way.place, { needed: "0001-sign-in" });
      const { code, found } = await examine(env);
      expect([code, found("schema")?.level]).toEqual([0, "warning"]);
      expect(found("schema")?.text).toContain("a later release has run 9999-later");
    });
  });

  it("portal doctor reports tables of the previous release, and does not change them", async () => {
    const place = await barePlace(kind);
    await makeTablesBefore(place);
    const { code, names, found } = await examine(variablesOf(place));
    expect(code).toBe(1);
    expect(found("tables")).toMatchObject({
      level: "problem",
      text: `0026-former-queues missing: ${HOW_TO_MIGRATE[kind]}`,
    });
    // They would only fail for the same reason.
    expect(names).not.toContain("keys");
    expect(await place.query("select name from kysely_migration")).toHaveLength(25);
  });
});

onAnyDatabase((kind) => {
  describe("portal doctor", () => {
    let way: TestBackend;
    let env: Record<string, string>;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      env = variablesOf(way.place);
    });
    afterEach(() => way.close());

    it("says that the portal is closed to customers, and how to open it", async () => {
      expect((await examine(env)).found("maintenance")).toMatchObject({ level: "ok" });
      const until = new Date(Date.now() + 3_600_000).toISOString();
      expect((await runCommand(env, ["maintenance", "on", "--until", until, ...ACT])).code).toBe(0);
      expect((await examine(env)).found("maintenance")).toMatchObject({
        level: "warning",
        text: expect.stringMatching(
          /^the portal is closed to customers until \S+: portal maintenance off /,
        ) as string,
      });
    });

    it("finds keys that belong to another database", async () => {
      const { code, found } = await examine({ ...env, DATA_KEYS: KEY });
      expect(code).toBe(1);
      expect(found("keys")).toMatchObject({
        level: "problem",
        text: "the keys do not belong to this database",
      });
    });

    it("finds codes that wait or have expired unsent, but not notices, which may wait for a day", async () => {
      const MINUTE = 60_000;
      const queue = async () => (await examine(env)).found("SMS queue");
      const wait = (purpose: string, ms: number, endsAt = FAR) =>
        way.change(
          `insert into messages (id, purpose, state, request_id, tries, due_at, changed_at, written_at, ends_at)
          values (?, ?, 'waiting', '', 0, 0, 0, ?, ?)`,
          `${purpose} ${ms}`,
          purpose,
          Date.now() - ms,
          endsAt,
        );
      await wait("notice", 60 * MINUTE);
      expect(await queue()).toMatchObject({ level: "ok", text: "no code waits" });
      await wait("login", 2 * MINUTE);
      expect(await queue()).toMatchObject({
        level: "warning",
        text: expect.stringMatching(/^the oldest code has waited for 12\d s: /) as string,
      });
      // No portal runs, so it stays; the alarm counts it, too.
      await wait("login", 20 * MINUTE, Date.now() - 10 * MINUTE);
      const { code, found } = await examine(env);
      expect([code, found("SMS queue")?.level]).toEqual([1, "problem"]);
    });

    it("finds that sealing has stopped, and doesn't mind if there is nothing to seal", async () => {
      await way.change("delete from audit_seals");
      await way.change("delete from audit_events");
      const event = (at: number) =>
        way.change(
          `insert into audit_events (id, happened_at, event, address, request_id, device_name)
          values (?, ?, 'signed-in', '', '', '')`,
          String(at),
          at,
        );
      expect((await examine(env)).found("audit seals")?.text).toBe("all events are sealed");
      await event(Date.now());
      expect((await examine(env)).found("audit seals")?.level).toBe("ok");
      await way.change("delete from audit_events");
      await event(Date.now() - 11 * 60_000);
      expect((await examine(env)).found("audit seals")).toMatchObject({
        level: "warning",
        text: expect.stringContaining("no event is sealed yet, and the first is 11 minutes old") as string,
      });
      const seal = (throughSeq: number) =>
        way.change(
          `insert into audit_seals
          (no, through_seq, events, events_hash, chain_hash, key_version, seal_mac, sealed_at)
          values (?, ?, 1, '', '', 1, '', ?)`,
          throughSeq,
          throughSeq,
          Date.now() - 11 * 60_000,
        );
      await seal(0);
      const [last] = await way.query("select max(seq) as seq from audit_events");
      expect((await examine(env)).found("audit seals")).toMatchObject({ level: "warning" });
      await seal(Number(last?.["seq"]));
      expect((await examine(env)).found("audit seals")?.text).toBe("all events are sealed");
    });
  });
});

it.runIf(hasPostgres)(
  "[S101] portal doctor finds a restore that was interrupted before any table was back",
  async () => {
    const place = await barePlace("postgres");
    await place.query("create table portal_restore ()");
    const { code, names, found } = await examine(variablesOf(place));
    expect(code).toBe(1);
    expect(found("restore")?.text).toMatch(/if that was interrupted, run the same portal restore again$/);
    // A migration would leave a database that is not empty, to which nothing can be restored.
    expect(names).not.toContain("tables");
  },
);

it("portal doctor finds a database that other users of the machine can open", async () => {
  const way = await openTestBackend();
  chmodSync(join(way.dataDir, "portal.db"), 0o644);
  expect((await examine(variablesOf(way.place))).found("rights")).toMatchObject({ level: "warning" });
  await way.close();
});

it("portal doctor finds that there is no database, or that its server is not reached", async () => {
  const dataDir = newDataDir();
  const none = await examine({ DATA_DIR: dataDir });
  expect([none.code, none.found("database")?.text]).toEqual([
    1,
    `${dataDir} holds no database: run portal migrate, or start the portal`,
  ]);
  const away = await examine({
    DATA_DIR: dataDir,
    DATABASE_URL: "postgres://portal:kanarek@127.0.0.1:9/portal",
  });
  expect([away.code, away.found("database")?.text]).toEqual([
    1,
    "PostgreSQL cannot be used now: connection refused",
  ]);
});

it("portal doctor names each bad variable, never its value, and exits with 1", async () => {
  const { code, stdout, stderr } = await runCommand({ PORT: "web", DATA_KEYS: "kanarek" }, ["doctor"]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(
    /^problem {2}configuration: PORT: expected [^\n]+\nproblem {2}configuration: DATA_KEYS: expected [^\n]+\n$/,
  );
  expect(stdout).not.toContain("kanarek");
});
