import { readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { register } from "../../../contract/register";
import { freshCustomer } from "../../../demo-customers";
import { ACT, runCommand } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../test-backend";
import { variablesOf } from "../test-place";

describe("a backup of SQLite", () => {
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

  it.each<[string, (backup: string) => void, string]>([
    ["there is no file", (backup) => rmSync(backup), "is not a file"],
    ["it is no database", (backup) => writeFileSync(backup, "no database".repeat(1000)), "it is no database"],
    ["it is empty", (backup) => truncateSync(backup, 0), "it is not a database of the portal"],
    ["it is truncated", (backup) => truncateSync(backup, 40_960), "damaged"],
    [
      "it is another program's",
      (backup) => {
        rmSync(backup);
        new SqliteConnection(backup).exec("create table notes (text)").close();
      },
      "it is not a database of the portal",
    ],
    [
      "it is from a later release",
      (backup) =>
        new SqliteConnection(backup)
          .exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')")
          .close(),
      "from a later version of the portal: it has migration 9999-later",
    ],
    [
      "a part of it is in another file",
      (backup) => writeFileSync(`${backup}-wal`, "what was committed last"),
      "-wal holds a part of it",
    ],
    [
      "it was made with other keys",
      (backup) =>
        new SqliteConnection(backup)
          .exec("update facts set value = '1.' || substr(value, 3, 20) || 'A'")
          .close(),
      "the keys do not belong to this database",
    ],
  ])("is refused before anything is replaced if %s", async (_what, spoil, problem) => {
    run("backup", "--output", file);
    await register(way, freshCustomer(4));
    spoil(file);
    await reopenAfter(() => {
      const before = readFileSync(database());
      const { code, stdout, stderr } = restore("--input", file);
      expect([code === 0, stdout]).toEqual([false, ""]);
      expect(stderr).toMatch(/^portal: [^\n]+\n$/);
      expect(stderr).toContain(problem);
      expect(readFileSync(database()).equals(before)).toBe(true);
      expect(readdirSync(way.dataDir).filter((name) => /before|restoring/.test(name))).toEqual([]);
    });
    expect(await way.query("select count(*) as accounts from accounts")).toEqual([{ accounts: 7 }]);
  });

  it("is not restored while a command works on the database", async () => {
    run("backup", "--output", file);
    await reopenAfter(() => {
      const command = new SqliteConnection(database());
      command.exec("pragma journal_mode = wal");
      command.exec("begin; select count(*) from facts");
      const { code, stderr } = restore("--input", file);
      expect([code, stderr]).toEqual([
        1,
        "portal: a command is using the database: wait until it has ended\n",
      ]);
      command.close();
    });
  });

  it.each<[string, string[], string]>([
    ["backup without an output", ["backup"], "--output"],
    ["backup to a file that exists", ["backup", "--output", "package.json"], "package.json exists already"],
    ["backup to a folder that isn't there", ["backup", "--output", "/nowhere/backup.db"], "not a folder"],
    ["restore of nothing", ["restore", ...ACT], "expected one of --input and --after-restore"],
    ["restore of both", ["restore", ...ACT, "--input", "x", "--after-restore"], "expected one of"],
    ["restore without an operator", ["restore", "--input", "x", "--reason", "x"], "--operator"],
    ["restore without a reason", ["restore", "--input", "x", "--operator", "x"], "--reason"],
  ])("answers nonsense with one line and exit 2: %s", (_what, words, problem) => {
    const { code, stdout, stderr } = run(...words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^portal: [^\n]+\n$/);
    expect(stderr).toContain(problem);
  });
});
