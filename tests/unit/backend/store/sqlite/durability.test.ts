import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";

it("a change waits for the disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portal-durability-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const store = await openSqliteStore(join(folder, "portal.db"));
  const pragma = async (name: string) =>
    Object.values(
      (await sql<object>`pragma ${sql.raw(name)}`.execute(store.read)).rows[0] ?? {},
    )[0] as unknown;
  await store.write(() => Promise.resolve());
  // 2 is FULL: with NORMAL a power cut could undo what was answered (sqlite.org/pragma.html#pragma_synchronous).
  expect([await pragma("journal_mode"), await pragma("synchronous")]).toEqual(["wal", 2]);
  await store.close();
});
