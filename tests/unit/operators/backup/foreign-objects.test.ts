import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TOO_OLD } from "~/backend/store/previous-release.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser } from "../../../contract/browser";
import { NEW_PASSWORD, register } from "../../../contract/register";
import { hasPostgres, onEachDatabase } from "../../../database";
import { freshCustomer } from "../../../demo-customers";
import { makeTablesBefore, makeTablesUpTo } from "../../backend/store/previous-release";
import { barePlace } from "../../backend/test-place";
import { BACKUPS_MS, openBackedUp, type BackedUp } from "./backed-up";
import { asSomebodyElse } from "./somebody-elses";

const REFUSED = "can't be restored: not made by the migrations: ";

describe("a backup of SQLite with something in it that no migration made", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  beforeEach(async () => {
    portal = await openBackedUp();
  });
  afterEach(() => portal.close());

  const rebuilt = (table: string, columns: string) =>
    `create table spy (${columns}) strict; insert into spy select * from ${table};
    drop table ${table}; alter table spy rename to ${table}`;

  it.each([
    [
      "a trigger",
      "create trigger spy after insert on audit_events begin update accounts set state = 'disabled'; end",
      "not made by the migrations: trigger spy on audit_events",
    ],
    ["a view", "create view spy as select * from accounts", "not made by the migrations: view spy"],
    [
      "a view of the migrations",
      "drop table kysely_migration; create view kysely_migration as select '0001-sign-in' as name",
      "it has no tables",
    ],
    ["a table", "create table spy (one text)", "not made by the migrations: table spy"],
    [
      "an index with a function",
      "create index spy on accounts (upper(username))",
      "not made by the migrations: index spy on accounts",
    ],
    [
      "a generated column",
      "alter table accounts add column spy text as (upper(username))",
      "changed: table accounts",
    ],
    [
      "a check",
      rebuilt("facts", "name text primary key, value text not null check (upper(value) <> 'SPY')"),
      "changed: table facts",
    ],
    [
      "a default",
      rebuilt("facts", "name text primary key, value text not null default (upper('spy'))"),
      "changed: table facts",
    ],
    ["a missing index", "drop index by_codes_ends_at", "missing: index by_codes_ends_at on codes"],
  ])("[S158] is refused before anything runs, whoever accepts it: %s", async (_what, statement, problem) => {
    const file = await portal.backUp();
    await asSomebodyElse(portal, file, (plain) => {
      new SqliteConnection(plain).exec(statement).close();
    });
    await portal.reopenAfter(async () => {
      const before = readFileSync(join(portal.way.dataDir, "portal.db"));
      const { code, stderr } = await portal.restore(file, "--accept-unproven");
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`can't be restored: ${problem}\n`) as string,
      ]);
      expect(readFileSync(join(portal.way.dataDir, "portal.db")).equals(before)).toBe(true);
      expect(readdirSync(portal.way.dataDir).filter((name) => /before|restoring/.test(name))).toEqual([]);
    });
  });

  it("[S158] may have statistics, which SQLite's analyze makes", async () => {
    await portal.way.query("analyze");
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
    });
    expect((await portal.run(["doctor"])).stdout).toContain("ok       schema: ");
  });
});

describe.skipIf(!hasPostgres)("a backup of PostgreSQL", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  beforeEach(async () => {
    portal = await openBackedUp("postgres");
  });
  afterEach(() => portal.close());

  const tables = async () =>
    (await portal.way.query("select tablename as name from pg_tables where schemaname = 'public'")).map(
      ({ name }) => name,
    );

  it.each([
    [
      "a trigger",
      `create function spy() returns trigger language plpgsql as 'begin return null; end';
      create trigger spy after insert on audit_events execute function spy()`,
      /function public\.spy\(\), trigger public\.audit_events spy$/,
    ],
    ["a view", "create view spy as select * from accounts", /view public\.spy$/],
    ["a rule", "create rule spy as on insert to facts do also select 1", /rule public\.facts spy$/],
    [
      "a table elsewhere",
      "create schema other; create table other.accounts (id text)",
      /table other\.accounts/,
    ],
    ["a domain", "create domain spy as text", /domain public\.spy$/],
  ])("[S158] with something in it that no migration made is refused: %s", async (_what, made, object) => {
    const good = await portal.backUp();
    await portal.way.query(made);
    const file = await portal.backUp();
    await asSomebodyElse(portal, file);
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      const { code, stderr } = await portal.restore(file, "--accept-unproven");
      expect([code, stderr]).toEqual([2, expect.stringContaining(REFUSED) as string]);
      expect(stderr.trim()).toMatch(object);
      expect(await tables()).toEqual([]);
      expect((await portal.restore(good)).code).toBe(0);
    });
  });

  it("[S158] gives rows only: of its statements none runs, not even one under a name of ours", async () => {
    await portal.way.query("alter table facts add constraint spy check (value <> '')");
    await portal.way.query(
      "create or replace function audit_watermark() returns bigint language plpgsql as 'begin return 12345; end'",
    );
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
    });
    const [row] = await portal.way.query("select prosrc from pg_proc where proname = 'audit_watermark'");
    expect(row?.["prosrc"]).not.toContain("12345");
    expect((await portal.run(["doctor"])).stdout).toContain("ok       schema: ");
  });

  it("[S158] whose archive has a statement instead of rows is refused, and that statement does not run", async () => {
    const good = await portal.backUp();
    const file = await portal.backUp();
    const copy = "COPY public.windows (bucket, count, ends_at) FROM stdin;";
    await asSomebodyElse(portal, file, (plain) => {
      const archive = readFileSync(plain, "latin1");
      expect(archive.split(copy)).toHaveLength(2);
      const spy = "create table spy ();--".padEnd(copy.length, "-");
      writeFileSync(plain, archive.replace(copy, spy), "latin1");
    });
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      const { code, stderr } = await portal.restore(file, "--accept-unproven");
      expect([code, stderr]).toEqual([1, "portal: the backup ends early\n"]);
      expect(await tables()).toEqual([]);
      expect((await portal.restore(good)).code).toBe(0);
    });
  });

  it("comes back with odd texts and bytes, and with events of all months", async () => {
    const odd = "a\\.\n\\.\n\tb\\N\r\n\u0001'\"ą";
    await portal.way.change("insert into facts (name, value) values (?, ?)", "odd", odd);
    const event = (id: string, at: number) =>
      portal.way.change(
        `insert into audit_events (id, happened_at, event, address, request_id, device_name)
        values (?, ?, 'signed-in', '', '', ?)`,
        id,
        at,
        odd,
      );
    await event("past", Date.UTC(2023, 4, 5));
    await event("ahead", Date.UTC(2090, 4, 5));
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
    });
    expect(await portal.way.query("select value from facts where name = 'odd'")).toEqual([{ value: odd }]);
    expect(
      await portal.way.query(
        "select id, device_name from audit_events where id in ('past', 'ahead') order by id",
      ),
    ).toEqual([
      { id: "ahead", device_name: odd },
      { id: "past", device_name: odd },
    ]);
  });

  it("whose restore was killed before its rows were there can be restored again", async () => {
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      await portal.way.query("create table portal_restore (unloaded boolean)");
      await portal.way.query("create table accounts (id text)");
      expect(JSON.stringify(await portal.run(["doctor", "--json"]))).toContain(
        "run the same portal restore again",
      );
      expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
      // A finished one is not undone.
      const { code, stderr } = await portal.restore(file);
      expect([code, stderr]).toEqual([2, expect.stringContaining("the database is not empty") as string]);
    });
  });
});

onEachDatabase((kind) => {
  it(
    "[S158] a backup of the release before is restored, and its tables are brought up to date",
    { timeout: BACKUPS_MS },
    async () => {
      const portal = await openBackedUp(kind);
      const { username } = await register(portal.way, freshCustomer(1));
      const [facts, customers, accounts] = await Promise.all(
        ["facts", "customers", "accounts"].map((table) => portal.way.query(`select * from ${table}`)),
      );
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        await makeTablesBefore(portal.way.place);
        const known = { facts, customers, accounts };
        for (const [table, rows] of Object.entries(known))
          for (const row of rows ?? []) {
            const columns = Object.keys(row);
            await portal.way.place.query(
              `insert into ${table} (${columns.join()}) values (${columns.map(() => "?").join()})`,
              ...columns.map((column) => row[column]),
            );
          }
        const file = await portal.backUp();
        await portal.loseDatabase();
        expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
      });
      expect((await new Browser(portal.way).login({ username, password: NEW_PASSWORD })).status).toBe(200);
      expect((await portal.run(["doctor"])).stdout).toContain("ok       schema: ");
      await portal.close();
    },
  );

  it(
    "a backup of an older release is refused, and which release to go through is said",
    { timeout: BACKUPS_MS },
    async () => {
      const portal = await openBackedUp(kind);
      const good = await portal.backUp();
      const file = await portal.backUp();
      const older = await barePlace(kind);
      await makeTablesUpTo(older, "0024-device-browsers");
      await asSomebodyElse(portal, file, (plain) => {
        if (older.on) execFileSync("pg_dump", ["--format=custom", `--file=${plain}`, older.on.url]);
        else copyFileSync(join(older.dataDir, "portal.db"), plain);
      });
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        const { code, stderr } = await portal.restore(file, "--accept-unproven");
        expect([code, stderr]).toEqual([2, `portal: --input: ${file} can't be restored: ${TOO_OLD}\n`]);
        expect((await portal.restore(good)).code).toBe(0);
      });
      await portal.close();
    },
  );

  it(
    "a backup that the release before had not finished filling is refused, and leaves nothing behind",
    { timeout: BACKUPS_MS },
    async () => {
      const portal = await openBackedUp(kind);
      const good = await portal.backUp();
      const { place } = portal.way;
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        await makeTablesBefore(place);
        await place.query(
          `insert into customers (id, kind, name_sealed, phone_sealed, pid_sealed, pid_index)
          values ('zofia', 'individual', '', '', '', '')`,
        );
        const file = await portal.backUp();
        await portal.loseDatabase();
        const { code, stderr } = await portal.restore(file);
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/^portal: \S+ has not filled customers.name_index everywhere: /),
        ]);
        expect((await portal.restore(good)).code).toBe(0);
      });
      await portal.close();
    },
  );
});
