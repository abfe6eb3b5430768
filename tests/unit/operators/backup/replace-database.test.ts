import type * as Files from "node:fs";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { replaceDatabase } from "~/backend/backup/database-copy.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { NOON } from "../../backend/test-backend";

const onRename = vi.hoisted(() => vi.fn());
vi.mock("node:fs", async (load) => {
  const files = await load<typeof Files>();
  const renameSync: typeof files.renameSync = (...names) => {
    onRename();
    files.renameSync(...names);
  };
  return { ...files, renameSync };
});

it("[S101] nothing can be written to a database at the moment it is replaced, so nothing is lost unseen", () => {
  const folder = mkdtempSync(join(tmpdir(), "portal-test-"));
  const file = join(folder, "portal.db");
  const replacement = join(folder, "replacement.db");
  for (const each of [file, replacement])
    new SqliteConnection(each).exec("pragma journal_mode = wal; create table notes (text)").close();
  const found: string[] = [];
  onRename.mockImplementation(() => {
    try {
      new SqliteConnection(file, { waitMs: 0 }).exec("insert into notes values ('late')").close();
      found.push("written");
    } catch (error) {
      found.push((error as Error).message);
    }
  });
  const kept = replaceDatabase(file, replacement, NOON);
  expect(found).toEqual(["database is locked"]);
  expect(readdirSync(folder).sort()).toEqual(["portal.db", kept?.slice(folder.length + 1)]);
  const replaced = new SqliteConnection(file);
  expect(replaced.rows("select * from notes")).toEqual([]);
  replaced.close();
});
