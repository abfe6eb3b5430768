import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection, isBusy, sqliteCodeOf } from "~/backend/store/sqlite-connection.server";

describe("a connection to SQLite", () => {
  let folder: string;
  let file: string;
  let connection: SqliteConnection;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portal sqlite %41?#"));
    file = join(folder, "portal.db");
    connection = new SqliteConnection(file);
    connection.exec(
      "pragma journal_mode = wal; create table notes (id integer primary key, text text) strict",
    );
  });
  afterEach(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });

  const codeOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return sqliteCodeOf(error);
    }
    return "no error";
  };

  it("has an SQLite without the defect that damages a log which two processes write", () => {
    const [major = 0, minor = 0, patch = 0] = String(connection.value("select sqlite_version()"))
      .split(".")
      .map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
  });

  it("opens the file whatever its name contains, and refuses a missing file that has to exist", () => {
    expect(readdirSync(folder)).toContain("portal.db");
    const other = join(folder, "other.db");
    for (const mode of ["ro", "rw"] as const)
      expect(codeOf(() => new SqliteConnection(other, { mode }))).toBe("SQLITE_CANTOPEN");
    expect(readdirSync(folder)).not.toContain("other.db");
  });

  it("leaves one file and no lock when it is closed, whatever was prepared", () => {
    connection.rows("insert into notes (text) values ('a') returning *");
    connection.prepare("select * from notes").all([]);
    connection.close();
    expect(readdirSync(folder)).toEqual(["portal.db"]);
    connection = new SqliteConnection(file, { waitMs: 0 });
    connection.exec("pragma journal_mode = delete; begin exclusive; commit");
  });

  it("returns bytes as a Buffer, whole numbers as numbers, and refuses a number it can't return exactly", () => {
    const bytes = Buffer.from([0, 1, 255]);
    const [row] = connection.rows("select ? as bytes, ? as whole, null as missing", bytes, 2 ** 53 - 1);
    expect(row).toEqual({ bytes, whole: 2 ** 53 - 1, missing: null });
    expect(Buffer.isBuffer(row?.["bytes"])).toBe(true);
    expect(() => connection.value("select 9007199254740993")).toThrow("too large");
  });

  it("stores a bigint exactly", () => {
    connection.rows("insert into notes (id) values (?)", 2n ** 62n);
    expect(connection.value("select cast(id as text) from notes")).toBe(String(2n ** 62n));
  });

  it.each([
    ["undefined", undefined],
    ["text that contains NUL", "a\0b"],
  ])("refuses %s, which engines treat differently", (_, value) => {
    const insert = "insert into notes (text) values (?)";
    expect(() => connection.rows(insert, value)).toThrow(TypeError);
    expect(() => connection.prepare(insert).run([value])).toThrow(TypeError);
    expect(connection.rows("select * from notes")).toEqual([]);
  });

  it("sees a column that was added after a statement was first run", () => {
    connection.rows("select * from notes");
    connection.exec("insert into notes (text) values ('a'); alter table notes add column extra text");
    expect(Object.keys(connection.rows("select * from notes")[0] ?? {})).toEqual(["id", "text", "extra"]);
  });

  it("reports that another process is writing", () => {
    const other = new SqliteConnection(file, { waitMs: 0 }).exec("begin immediate");
    const waiting = new SqliteConnection(file, { waitMs: 0 });
    expect(codeOf(() => waiting.exec("begin immediate"))).toBe("SQLITE_BUSY");
    other.close();
    waiting.exec("begin immediate").close();
  });

  it("tells by its code why SQLite refused or failed", () => {
    const reading = new SqliteConnection(file, { mode: "ro" });
    expect(codeOf(() => reading.exec("delete from notes"))).toBe("SQLITE_READONLY");
    reading.close();
    expect(codeOf(() => connection.rows("select * from nothing"))).toBe("SQLITE_ERROR");
    connection.rows("insert into notes (id) values (1)");
    expect(codeOf(() => connection.rows("insert into notes (id) values (1)"))).toBe("SQLITE_CONSTRAINT");
    connection.exec("pragma max_page_count = 2");
    expect(codeOf(() => connection.rows("insert into notes (text) values (?)", "x".repeat(100_000)))).toBe(
      "SQLITE_FULL",
    );
    writeFileSync(join(folder, "junk"), "no database".repeat(1000));
    const junk = new SqliteConnection(join(folder, "junk"));
    expect(codeOf(() => junk.rows("select * from notes"))).toBe("SQLITE_NOTADB");
    junk.close();
  });

  it("tells the code of a backup that fails, and has no code for an error that is not SQLite's", async () => {
    const failing = connection.backup(join(folder, "nowhere", "copy.db"), 10, () => undefined);
    expect(sqliteCodeOf(await failing.catch((error: unknown) => error))).toBe("SQLITE_CANTOPEN");
    expect([sqliteCodeOf(new Error("SQLITE_FULL")), isBusy(undefined)]).toEqual([undefined, false]);
  });

  it("copies a database as it was when its reading began, while another connection writes to it", async () => {
    connection.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into notes select i, hex(randomblob(100)) from n`,
    );
    const reading = new SqliteConnection(file).exec("begin; select count(*) from notes");
    const seen: number[] = [];
    const copy = join(folder, "copy.db");
    await reading.backup(copy, 50, ({ totalPages, remainingPages }) => {
      seen.push(totalPages - remainingPages);
      connection.exec("update notes set text = 'later' where id <= 100");
    });
    reading.close();
    expect(seen[0]).toBeGreaterThan(0);
    const copied = new SqliteConnection(copy, { mode: "ro" });
    expect(copied.value("pragma quick_check")).toBe("ok");
    expect(copied.value("select count(*) from notes where text = 'later'")).toBe(0);
    copied.close();
  });
});
