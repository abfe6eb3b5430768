import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { onEachDatabase, onServer } from "../../database";
import { runCommand } from "../../operator-command";
import { ZOFIA } from "./importing";
import { addLaterMigration, makeTablesBefore } from "../backend/store/previous-release";
import { openTestBackend } from "../backend/test-backend";
import {
  barePlace,
  migratePlace,
  newDataDir,
  placeOnSqlite,
  variablesOf,
  type Place,
} from "../backend/test-place";

const ALL = listed(MIGRATION_NAMES);
const NAMES_SINCE = MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(PREVIOUS_RELEASE_MIGRATION) + 1);
const SINCE = listed(NAMES_SINCE);
const UP_TO_DATE = "database: true\nmissing: none\nequalPolicyNos: none";

function listed(names: readonly string[]): string {
  return names.map((name) => `\n  - ${name}`).join("");
}

onEachDatabase((kind) => {
  describe("portal migrate", () => {
    let place: Place;
    beforeEach(async () => {
      place = await barePlace(kind);
    });
    const migrate = (...words: string[]) => runCommand(variablesOf(place), ["migrate", ...words]);
    const answer = (code: number, line: string) => ({ code, stdout: `${line}\n`, stderr: "" });
    const tables = async () => {
      const from = kind === "sqlite" ? "sqlite_schema where type = 'table'" : "pg_tables";
      const column = kind === "sqlite" ? "name" : "tablename";
      return (await place.query(`select ${column} as name from ${from} order by 1`)).map(({ name }) => name);
    };
    const startPortal = async () => {
      await (await openTestBackend({ place })).backend.close();
    };

    it("makes the tables of an empty database, and changes nothing the second time", async () => {
      expect(await migrate()).toEqual(answer(0, `ran:${ALL}`));
      const made = await tables();
      expect(made).toContain("audit_events");
      expect(await migrate()).toEqual(answer(0, "ran: none"));
      expect(await migrate("--check")).toEqual(answer(0, UP_TO_DATE));
      expect(await migrate("--dry-run")).toEqual(answer(0, "wouldRun: none"));
      expect(await tables()).toEqual(made);
      await startPortal();
    });

    it("migrates the previous release's tables with their rows, and empties its queues", async () => {
      await makeTablesBefore(place);
      await place.query("insert into facts (name, value) values ('colour', 'green')");
      await place.query("insert into sms_queue values ('1', '1.to', '1.text', 'login', 'r', 1, 1, 1, 1)");
      await place.query("insert into mail_queue values ('2', 'zofia', 'password-changed', 'r', 1, 1, 1, 1)");
      expect(await migrate()).toEqual(answer(0, `ran:${SINCE}`));
      expect(await place.query("select id from sms_queue union select id from mail_queue")).toEqual([]);
      expect(await place.query("select value from facts where name = 'colour'")).toEqual([
        { value: "green" },
      ]);
      await startPortal();
    });

    it("[S117] --check says what is missing and whether the present release can serve after it", async () => {
      await makeTablesBefore(place);
      const before = await tables();
      expect(await migrate("--check")).toEqual(
        answer(1, `database: true\nmissing:${SINCE}\npresentReleaseCanServe: true\nequalPolicyNos: none`),
      );
      expect(JSON.parse((await migrate("--check", "--json")).stdout)).toEqual({
        database: true,
        missing: NAMES_SINCE,
        presentReleaseCanServe: true,
        equalPolicyNos: [],
      });
      expect(await tables()).toEqual(before);
    });

    it("refuses a role that is missing, or can't connect, and changes nothing", async ({ skip }) => {
      if (kind === "sqlite") return skip();
      const role = `portal_test_${randomBytes(6).toString("hex")}`;
      const said = async () => {
        const variables = { ...variablesOf(place), HELP_DESK_DATABASE_ROLE: role };
        return (await runCommand(variables, ["migrate"])).stderr;
      };
      expect(await said()).toContain(`HELP_DESK_DATABASE_ROLE: the database has no role "${role}"`);
      await onServer(`create role ${role} login`);
      try {
        await place.query(
          "do $$ begin execute format('revoke connect on database %I from public', current_database()); end $$",
        );
        expect(await said()).toContain(`the role "${role}" can't connect to this database`);
        expect(await tables()).not.toContain("accounts");
      } finally {
        await onServer(`drop role ${role}`);
      }
    });

    it("--dry-run runs what is missing and takes it back", async () => {
      await makeTablesBefore(place);
      const before = await tables();
      expect(await migrate("--dry-run")).toEqual(answer(0, `wouldRun:${SINCE}`));
      expect(await tables()).toEqual(before);
      expect((await migrate("--check")).code).toBe(1);
    });

    it("--dry-run says that a migration would fail, and takes back what worked", async () => {
      await makeTablesBefore(place);
      await place.query("drop table mail_queue");
      const before = await tables();
      const { code, stdout, stderr } = await migrate("--dry-run");
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^portal: [^\n]+ could not be brought up to date: [^\n]+\n$/);
      expect(await tables()).toEqual(before);
    });

    it("refuses tables from which a later release took something away, with any option", async () => {
      await migratePlace(place);
      await addLaterMigration(place, { needed: "9999-later" });
      const line =
        "a later version of the portal has changed the database: it needs a version with migration 9999-later";
      for (const words of [[], ["--check"], ["--dry-run"]])
        expect(await migrate(...words)).toEqual({ code: 1, stdout: "", stderr: `portal: ${line}\n` });
    });

    it("leaves the tables of a later release alone if that only added to them", async () => {
      await migratePlace(place);
      await addLaterMigration(place, { needed: "0005-documents" });
      const needed = () => place.query("select value from facts where name = 'needed-migration'");
      expect(await migrate()).toEqual(answer(0, "ran: none"));
      expect(await needed()).toEqual([{ value: "0005-documents" }]);
    });

    it("works while a portal serves", async () => {
      await migratePlace(place);
      const way = await openTestBackend({ place });
      expect(await migrate()).toEqual(answer(0, "ran: none"));
      expect(await way.backend.ready()).toBe(true);
      await way.close();
    });
  });
});

describe("portal migrate, where SQLite has no file yet", () => {
  const startPortalAt = async (dataDir: string) => {
    await (await openTestBackend({ place: placeOnSqlite(dataDir) })).backend.close();
  };
  const migrateAt = (dataDir: string, ...words: string[]) =>
    runCommand({ DATA_DIR: dataDir }, ["migrate", ...words]);

  it("makes the folder and the file; before that --check says that there is none", async () => {
    const dataDir = join(newDataDir(), "new");
    expect(await migrateAt(dataDir, "--check")).toEqual({
      code: 1,
      stdout: "database: false\n",
      stderr: "",
    });
    expect(JSON.parse((await migrateAt(dataDir, "--check", "--json")).stdout)).toEqual({ database: false });
    expect((await migrateAt(dataDir, "--dry-run")).stdout).toBe(`wouldRun:${ALL}\n`);
    expect(existsSync(dataDir)).toBe(false);
    expect((await migrateAt(dataDir)).stdout).toBe(`ran:${ALL}\n`);
    expect(readdirSync(dataDir)).toEqual(["keys.json", "portal.db"]);
  });

  it("makes the demo's keys, so that an import works next, and the portal starts on both", async () => {
    const dataDir = join(newDataDir(), "new");
    await migrateAt(dataDir);
    const keys = readFileSync(join(dataDir, "keys.json"), "utf8");
    const line = JSON.stringify(ZOFIA);
    expect(await runCommand({ DATA_DIR: dataDir }, ["import", "-"], line)).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await migrateAt(dataDir)).code).toBe(0);
    expect(readFileSync(join(dataDir, "keys.json"), "utf8")).toBe(keys);
    await startPortalAt(dataDir);
    expect((await runCommand({ DATA_DIR: dataDir }, ["import", "-"], line)).stdout).toContain(
      "0 changed, 1 unchanged",
    );
  });

  it("makes no keys where they are variables, or where the data need those that are lost", async () => {
    const withKeys = join(newDataDir(), "new");
    const DATA_KEYS = `1:${randomBytes(32).toString("base64")}`;
    await runCommand({ DATA_DIR: withKeys, DATA_KEYS }, ["migrate"]);
    expect(readdirSync(withKeys)).toEqual(["portal.db"]);
    const dataDir = newDataDir();
    await startPortalAt(dataDir);
    rmSync(join(dataDir, "keys.json"));
    expect((await migrateAt(dataDir)).code).toBe(0);
    expect(existsSync(join(dataDir, "keys.json"))).toBe(false);
  });

  it("--check and --dry-run leave the bytes of an existing file as they are", async () => {
    const place = await barePlace("sqlite");
    await makeTablesBefore(place);
    const file = join(place.dataDir, "portal.db");
    const before = readFileSync(file);
    await migrateAt(place.dataDir, "--check");
    await migrateAt(place.dataDir, "--dry-run");
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(place.dataDir)).toEqual(["portal.db"]);
    rmSync(place.dataDir, { recursive: true });
  });
});
