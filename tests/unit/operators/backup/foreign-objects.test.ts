import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  let file: string;
  beforeAll(async () => {
    portal = await openBackedUp();
    file = await portal.backUp();
    await portal.way.backend.close();
  });
  afterAll(() => portal.close());

  /** A copy of the backup that somebody with the public key has changed. */
  const changedBy = async (statements: string) => {
    const copy = join(portal.folder, "changed.sqlite.age");
    for (const suffix of ["", ".mac"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
    await asSomebodyElse(portal, copy, (plain) => {
      new SqliteConnection(plain).exec(statements).close();
    });
    return copy;
  };

  it.each([
    [
      "a trigger, a view, a table, an index with a function",
      `create trigger spy after insert on audit_events begin update accounts set state = 'disabled'; end;
      create view seen as select * from accounts; create table spies (one text);
      create index spied on accounts (upper(username))`,
      "not made by the migrations: index spied on accounts, table spies, trigger spy on audit_events, view seen",
    ],
    [
      "a view of the migrations",
      "drop table kysely_migration; create view kysely_migration as select '0001-sign-in' as name",
      "it has no tables",
    ],
    [
      "a generated column, a default, a check",
      `alter table accounts add column spy text as (upper(username));
      create table spy (name text primary key, value text not null default (upper('spy')) check (upper(value) <> 'SPY'))
      strict; insert into spy select * from facts; drop table facts; alter table spy rename to facts`,
      "changed: table accounts, table facts",
    ],
    ["a missing index", "drop index by_codes_ends_at", "missing: index by_codes_ends_at on codes"],
  ])(
    "[S158] is refused before anything runs, even with --accept-unproven: %s",
    async (_what, statements, problem) => {
      const copy = await changedBy(statements);
      const before = readFileSync(join(portal.way.dataDir, "portal.db"));
      const { code, stderr } = await portal.restore(copy, "--accept-unproven");
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`can't be restored: ${problem}\n`) as string,
      ]);
      expect(readFileSync(join(portal.way.dataDir, "portal.db")).equals(before)).toBe(true);
      expect(readdirSync(portal.way.dataDir).filter((name) => /before|restoring/.test(name))).toEqual([]);
    },
  );

  it("[S158] may have statistics, which SQLite's analyze makes", async () => {
    expect((await portal.restore(await changedBy("analyze"), "--accept-unproven")).code).toBe(0);
    expect((await portal.run(["doctor"])).stdout).toContain("ok       schema: ");
  });
});

describe.skipIf(!hasPostgres)("a backup of PostgreSQL", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  let good: string;
  let foreign: string;
  beforeAll(async () => {
    portal = await openBackedUp("postgres");
    good = await portal.backUp();
    await portal.way.query(
      `create function spy() returns trigger language plpgsql as 'begin return null; end';
      create trigger spy after insert on audit_events execute function spy();
      create rule spy as on insert to facts do also select 1;
      create schema other; create table other.accounts (id text)`,
    );
    foreign = await portal.backUp();
    await portal.way.backend.close();
    await portal.loseDatabase();
  });
  afterAll(() => portal.close());

  const tables = async () =>
    (await portal.way.query("select tablename as name from pg_tables where schemaname = 'public'")).map(
      ({ name }) => name,
    );
  const comesBack = async () => {
    const file = await portal.backUp();
    await portal.loseDatabase();
    expect(await portal.restore(file)).toMatchObject({ code: 0, stderr: "" });
  };

  it("[S158] with something in it that no migration made is refused, and each object is named", async () => {
    await asSomebodyElse(portal, foreign);
    const { code, stderr } = await portal.restore(foreign, "--accept-unproven");
    expect([code, stderr]).toEqual([2, expect.stringContaining(REFUSED) as string]);
    for (const object of [
      "function public.spy()",
      "trigger public.audit_events spy",
      "rule public.facts spy",
      "table other.accounts",
    ])
      expect(stderr).toContain(object);
    expect(await tables()).toEqual([]);
  });

  it("[S158] whose archive has a statement instead of rows is refused, and that statement does not run", async () => {
    const file = join(portal.folder, "changed.pgdump.age");
    for (const suffix of ["", ".mac"]) copyFileSync(`${good}${suffix}`, `${file}${suffix}`);
    const copy = "COPY public.windows (bucket, count, ends_at) FROM stdin;";
    await asSomebodyElse(portal, file, (plain) => {
      const archive = readFileSync(plain, "latin1");
      expect(archive.split(copy)).toHaveLength(2);
      const spy = "create table spy ();--".padEnd(copy.length, "-");
      writeFileSync(plain, archive.replace(copy, spy), "latin1");
    });
    const { code, stderr } = await portal.restore(file, "--accept-unproven");
    expect([code, stderr]).toEqual([1, "portal: the backup ends early\n"]);
    expect(await tables()).toEqual([]);
  });

  it("whose restore was killed before its rows were there can be restored again", async () => {
    await portal.way.query("create table portal_restore (unloaded boolean)");
    await portal.way.query("create table accounts (id text)");
    expect(JSON.stringify(await portal.run(["doctor", "--json"]))).toContain(
      "run the same portal restore again",
    );
    expect(await portal.restore(good)).toMatchObject({ code: 0, stderr: "" });
    // A finished one is not undone.
    const { code, stderr } = await portal.restore(good);
    expect([code, stderr]).toEqual([2, expect.stringContaining("the database is not empty") as string]);
  });

  it("[S158] gives rows only: of its statements none runs, not even one under a name of ours", async () => {
    await portal.way.query("alter table facts add constraint spy check (value <> '')");
    await portal.way.query(
      "create or replace function audit_watermark() returns bigint language plpgsql as 'begin return 12345; end'",
    );
    await comesBack();
    const [row] = await portal.way.query("select prosrc from pg_proc where proname = 'audit_watermark'");
    expect(row?.["prosrc"]).not.toContain("12345");
    expect((await portal.run(["doctor"])).stdout).toContain("ok       schema: ");
  });

  it("comes back with odd texts and bytes, and with events of all months", async () => {
    const odd = "a\\.\n\\.\n\tb\\N\r\n\u0001'\"ą";
    await portal.way.change("insert into facts (name, value) values (?, ?)", "odd", odd);
    for (const [id, at] of [
      ["past", Date.UTC(2023, 4, 5)],
      ["ahead", Date.UTC(2090, 4, 5)],
    ] as const)
      await portal.way.change(
        `insert into audit_events (id, happened_at, event, address, request_id, device_name)
        values (?, ?, 'signed-in', '', '', ?)`,
        id,
        at,
        odd,
      );
    await comesBack();
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
});

/** The tables of a customer and an account. */
const FIRST_TABLES = ["facts", "customers", "accounts"];

onEachDatabase((kind) => {
  describe("a backup of an earlier release", { timeout: BACKUPS_MS }, () => {
    let portal: BackedUp;
    let good: string;
    let username: string;
    const kept = new Map<string, Record<string, unknown>[]>();
    beforeAll(async () => {
      portal = await openBackedUp(kind);
      good = await portal.backUp();
      ({ username } = await register(portal.way, freshCustomer(1)));
      for (const table of FIRST_TABLES) kept.set(table, await portal.way.query(`select * from ${table}`));
      await portal.way.backend.close();
    });
    afterAll(() => portal.close());

    it("is refused if it is older than the one before, and which release to go through is said", async () => {
      const file = await portal.backUp();
      const older = await barePlace(kind);
      await makeTablesUpTo(older, "0024-device-browsers");
      await asSomebodyElse(portal, file, (plain) => {
        if (older.on) execFileSync("pg_dump", ["--format=custom", `--file=${plain}`, older.on.url]);
        else copyFileSync(join(older.dataDir, "portal.db"), plain);
      });
      await portal.loseDatabase();
      const { code, stderr } = await portal.restore(file, "--accept-unproven");
      expect([code, stderr]).toEqual([2, `portal: --input: ${file} can't be restored: ${TOO_OLD}\n`]);
    });

    it("is refused if that had not finished filling it, and leaves nothing behind", async () => {
      await makeTablesBefore(portal.way.place);
      await portal.way.change(
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

    it("[S158] is restored if it is the one before, and its tables are brought up to date", async () => {
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        await makeTablesBefore(portal.way.place);
        for (const [table, rows] of kept)
          for (const row of rows) {
            const columns = Object.keys(row);
            await portal.way.change(
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
    });
  });
});
