import { copyFileSync, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { runCommand, startCommand } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../test-backend";
import { variablesOf } from "../test-place";
import { trustedAnna } from "./restore-steps";

describe("a backup of SQLite, made while the portal runs", () => {
  let way: TestBackend;
  let file: string;
  const run = (...words: string[]) => runCommand(variablesOf(way.place), words);
  const database = () => join(way.dataDir, "portal.db");
  beforeEach(async () => {
    way = await openTestBackend();
    file = join(way.dataDir, "backup.db");
  });
  afterEach(() => way.close());

  it("is one file, whole, for its owner only, without the keys; and the terminal says so", async () => {
    await trustedAnna(way);
    const { code, stdout, stderr } = run("backup", "--output", file);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Backed up to ${file}: `);
    expect(stdout).toContain("It doesn't hold the keys");
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(way.dataDir).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"]);
    const copy = new SqliteConnection(file, { mode: "ro" });
    expect(copy.value("pragma quick_check")).toBe("ok");
    expect(copy.value("select count(*) from sessions")).toBe(1);
    copy.close();
    const keys = JSON.parse(readFileSync(join(way.dataDir, "keys.json"), "utf8")) as {
      keys: { key: string }[];
    };
    expect(readFileSync(file).includes(String(keys.keys[0]?.key))).toBe(false);
  });

  it("is of one moment, however much the portal writes meanwhile", async () => {
    await way.change("create table pairs (one integer, other integer)");
    const fill = new SqliteConnection(database());
    fill.exec(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) insert into pairs select i, i from n",
    );
    fill.exec("create table filler as select randomblob(4000) as bytes from pairs limit 10000");
    const { dataDir } = way;
    const { ended } = startCommand({ DATA_DIR: dataDir }, ["backup", "--output", file]);
    let writes = 0;
    let code: number | null | undefined;
    do {
      fill.exec(
        "begin immediate; update pairs set one = one + 1; update pairs set other = other + 1; commit",
      );
      writes += 1;
      code = (await Promise.race([ended, wait(1, undefined)]))?.code;
    } while (code === undefined);
    fill.close();
    expect([code, writes > 2]).toEqual([0, true]);
    const copy = new SqliteConnection(file, { mode: "ro" });
    expect(copy.value("select count(*) from pairs where one <> other")).toBe(0);
    expect(copy.value("select count(distinct one - rowid) from pairs")).toBe(1);
    copy.close();
  });

  it("says in one line that the file can't be written, or that there is nothing to back up, and leaves no file", () => {
    for (const [env, output] of [
      [variablesOf(way.place), "/proc/backup.db"],
      [{ DATA_DIR: "/nowhere" }, file],
    ] as const) {
      const { code, stdout, stderr } = runCommand(env, ["backup", "--output", output]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^portal: [^\n]+\n$/);
    }
    expect(readdirSync(way.dataDir).filter((name) => name.startsWith("backup"))).toEqual([]);
  });

  it("is checked before it gets its name", async () => {
    const other = join(way.dataDir, "other");
    await way.backend.close();
    copyFileSync(database(), `${other}.db`);
    const spoiled = new SqliteConnection(database());
    spoiled.exec("pragma application_id = 1");
    spoiled.close();
    const { code, stderr } = run("backup", "--output", file);
    expect([code, existsSync(file), existsSync(`${file}.portal-draft`)]).toEqual([1, false, false]);
    expect(stderr).toContain("useless: it is not a database of the portal");
    copyFileSync(`${other}.db`, database());
    way = await openTestBackend({ place: way.place });
  });
});
