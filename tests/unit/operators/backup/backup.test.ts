import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { startCommand, type CommandResult } from "../../../operator-command";
import { BACKUP, BACKUPS_MS, openBackedUp, type BackedUp } from "./backed-up";
import { trustedAnna } from "./restore-steps";
import { opened } from "./somebody-elses";

describe("a backup of SQLite, made while the portal runs", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  const database = () => join(portal.way.dataDir, "portal.db");
  beforeEach(async () => {
    portal = await openBackedUp();
  });
  afterEach(() => portal.close());

  it("is one file and its MAC, whole, for its owner only; and no copy stays beside the database", async () => {
    await trustedAnna(portal.way);
    const before = readdirSync(portal.way.dataDir);
    const file = await portal.backUp();
    for (const half of [file, `${file}.mac`]) expect((statSync(half).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(portal.folder).toSorted()).toEqual([
      expect.stringMatching(BACKUP),
      `${basename(file)}.mac`,
      "portal-backup.lock",
    ]);
    expect(readdirSync(portal.way.dataDir)).toEqual([...before, "backup.lock"].toSorted());
    const copy = new SqliteConnection(await opened(file, portal.identity), { mode: "ro" });
    expect(copy.value("pragma quick_check")).toBe("ok");
    expect(copy.value("select count(*) from sessions")).toBe(1);
    copy.close();
  });

  it("is of one moment, however much the portal writes meanwhile", async () => {
    await portal.way.change("create table pairs (one integer, other integer)");
    const fill = new SqliteConnection(database());
    fill.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into pairs select i, i from n`,
    );
    fill.exec("create table filler as select randomblob(4000) as bytes from pairs limit 4000");
    const { ended } = startCommand(portal.env, ["backup"]);
    let writes = 0;
    let done: CommandResult | undefined;
    do {
      fill.exec(
        "begin immediate; update pairs set one = one + 1; update pairs set other = other + 1; commit",
      );
      writes += 1;
      done = await Promise.race([ended, wait(1, undefined)]);
    } while (done === undefined);
    fill.close();
    expect([done.code, writes > 2]).toEqual([0, true]);
    const [name = ""] = portal.backups();
    const copy = new SqliteConnection(await opened(join(portal.folder, name), portal.identity), {
      mode: "ro",
    });
    expect(copy.value("select count(*) from pairs where one <> other")).toBe(0);
    expect(copy.value("select count(distinct one - rowid) from pairs")).toBe(1);
    copy.close();
  });

  it("is checked before it gets its name", async () => {
    await portal.reopenAfter(async () => {
      const spoil = (id: number) => {
        const spoiled = new SqliteConnection(database());
        const before = Number(spoiled.value("pragma application_id"));
        spoiled.exec(`pragma application_id = ${id}`);
        spoiled.close();
        return before;
      };
      const own = spoil(1);
      const { code, stderr } = await portal.run(["backup"]);
      expect([code, portal.backups()]).toEqual([1, []]);
      expect(stderr).toMatch(/^portal: [^\n]+ is useless: it is not a database of the portal\n$/);
      spoil(own);
    });
  });
});
