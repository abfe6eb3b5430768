import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { register } from "../../../contract/register";
import { onEachDatabase } from "../../../database";
import { freshCustomer } from "../../../demo-customers";
import { ACT } from "../../../operator-command";
import { BACKUPS_MS, makePair, openBackedUp, type BackedUp } from "./backed-up";
import { asSomebodyElse } from "./somebody-elses";

const AGE_CHUNK = 65_552;

/** Changes one byte. */
function flip(file: string, at: number): void {
  const content = readFileSync(file);
  content.writeUInt8(content.readUInt8(at) ^ 1, at);
  writeFileSync(file, content);
}

onEachDatabase((kind) => {
  it(
    "[S101, S157] a backup that is damaged, cut off or encrypted to others is refused, and nothing is changed",
    { timeout: BACKUPS_MS },
    async () => {
      const portal = await openBackedUp(kind);
      const file = await portal.backUp();
      const whole = readFileSync(file);
      const size = statSync(file).size;
      const other = (await makePair(portal.folder, "other.txt")).identity;
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        const isEmpty = async () =>
          kind === "sqlite"
            ? readdirSync(portal.way.dataDir).every((name) => !name.startsWith("portal.db"))
            : (await portal.way.query("select from pg_tables where schemaname = 'public'")).length === 0;
        const refused = async (problem: string, identity = portal.identity) => {
          const words = ["restore", ...ACT, "--input", file, "--identity", identity];
          const isWhole = readFileSync(file).equals(whole);
          for (const accepting of isWhole ? [[]] : [[], ["--accept-unproven"]]) {
            const { code, stdout, stderr } = await portal.run([...words, ...accepting]);
            expect([code, stdout, await isEmpty()]).toEqual([1, "", true]);
            expect(stderr).toMatch(/^portal: [^\n]+\n$/);
            const byMac = `${file} is not proven to be this portal's backup: its MAC does not fit`;
            expect(stderr).toContain(isWhole || accepting.length > 0 ? problem : byMac);
          }
          writeFileSync(file, whole);
        };
        await refused("was encrypted to other keys", other);
        flip(file, whole.indexOf("\n--- ") + 20);
        await refused(`${file} is damaged: `);
        flip(file, size - 1);
        await refused(`${file} is damaged or cut off: `);
        // Cut between two chunks, so that each remaining one is whole.
        const head = whole.indexOf("\n--- ") + "\n--- ".length + 43 + 1 + 16;
        truncateSync(file, head + (size - head > AGE_CHUNK ? AGE_CHUNK : 0));
        await refused(`${file} is damaged or cut off: `);
        writeFileSync(file, randomBytes(100_000));
        await refused(`${file} is not a file that age has encrypted`);
        expect((await portal.restore(file)).code).toBe(0);
      });
      await portal.close();
    },
  );
});

describe("a backup of SQLite", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  let file: string;
  const database = () => join(portal.way.dataDir, "portal.db");
  beforeAll(async () => {
    portal = await openBackedUp();
    file = await portal.backUp();
    await register(portal.way, freshCustomer(4));
    await portal.way.backend.close();
  });
  afterAll(() => portal.close());

  it.each<[string, (plain: string) => void, string]>([
    [
      "it holds no database",
      (plain) => writeFileSync(plain, "no database".repeat(1000)),
      "it is no database",
    ],
    ["it holds a damaged database", (plain) => truncateSync(plain, 40_960), "damaged"],
    [
      "it is another program's",
      (plain) => {
        rmSync(plain);
        new SqliteConnection(plain).exec("create table notes (text)").close();
      },
      "it is not a database of the portal",
    ],
    [
      "it is from a later release, and this one can't use its tables",
      (plain) =>
        new SqliteConnection(plain)
          .exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')")
          .exec("update facts set value = '9999-later' where name = 'needed-migration'")
          .close(),
      "a later version of the portal has changed the database: it needs a version with migration 9999-later",
    ],
    [
      "it was made with other data keys",
      (plain) =>
        new SqliteConnection(plain)
          .exec("update facts set value = '1.' || substr(value, 3, 20) || 'A'")
          .close(),
      "the keys do not belong to this database",
    ],
  ])("is refused before anything is replaced if %s", async (_what, spoil, problem) => {
    const copy = join(portal.folder, "spoiled.sqlite.age");
    for (const suffix of ["", ".mac"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
    await asSomebodyElse(portal, copy, spoil);
    const before = readFileSync(database());
    const { code, stdout, stderr } = await portal.restore(copy, "--accept-unproven");
    expect([code === 0, stdout]).toEqual([false, ""]);
    expect(stderr).toMatch(/^portal: [^\n]+\n$/);
    expect(stderr).toContain(problem);
    expect(readFileSync(database()).equals(before)).toBe(true);
    expect(readdirSync(portal.way.dataDir).filter((name) => /before|restoring/.test(name))).toEqual([]);
  });

  it("is not restored while a command works on the database", async () => {
    const command = new SqliteConnection(database());
    command.exec("pragma journal_mode = wal");
    command.exec("begin; select count(*) from facts");
    const { code, stderr } = await portal.restore(file);
    expect([code, stderr]).toEqual([1, "portal: a command is using the database: wait until it has ended\n"]);
    command.close();
  });

  it("is made and restored after an operator has gone back by a release", async () => {
    await portal.way.change("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
    expect(await portal.restore(await portal.backUp())).toMatchObject({ code: 0, stderr: "" });
  });
});
