import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";

describe("transactions that share a commit", () => {
  let folder: string;
  let file: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portal-store-"));
    file = join(folder, "portal.db");
    store = await openSqliteStore(file);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const put = (name: string) =>
    store.write(async (tx) => {
      await tx.insertInto("facts").values({ name, value: "" }).execute();
      return name;
    });
  /** The facts that the test has stored. */
  const names = async () => {
    const facts = store.read.selectFrom("facts").select("name").where("name", "!=", "needed-migration");
    return (await facts.orderBy("name").execute()).map(({ name }) => name);
  };

  it("one that fails rolls back its own changes only", async () => {
    const failing = store.write(async (tx) => {
      await tx.insertInto("facts").values({ name: "half", value: "" }).execute();
      throw new Error("no");
    });
    const ended = await Promise.allSettled([put("a"), failing, put("b"), put("a"), put("c")]);
    expect(ended.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  it("each resolves only after the commit", async () => {
    const other = new SqliteConnection(file, { mode: "ro" });
    const seen = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        await put(name);
        return other.value("select count(*) from facts where name = ?", name);
      }),
    );
    other.close();
    expect(seen).toEqual([1, 1, 1]);
  });

  it("fifty at once need few commits", async () => {
    const before = walSize();
    await Promise.all(Array.from({ length: 50 }, (_, nth) => put(String(nth))));
    const together = walSize() - before;
    for (let nth = 50; nth < 100; nth += 1) await put(String(nth));
    const oneByOne = walSize() - before - together;
    expect(together * 5).toBeLessThan(oneByOne);
    expect(await names()).toHaveLength(100);
  });

  it("wait for another process that is writing, without blocking the event loop", async () => {
    const other = new SqliteConnection(file);
    other.exec("begin immediate");
    let isDone = false;
    const waiting = put("late").then(() => (isDone = true));
    // Resolves once SQLite has given up waiting; from then on the event loop is free.
    await new Promise((resume) => setTimeout(resume, 0));
    expect(isDone).toBe(false);
    other.exec("commit");
    other.close();
    await waiting;
    expect(await names()).toEqual(["late"]);
  });

  it("closing waits for writes under way", async () => {
    const writing = put("last");
    await store.close();
    await expect(writing).resolves.toBe("last");
    store = await openSqliteStore(file);
    expect(await names()).toEqual(["last"]);
  });

  /** Each commit appends the pages it changed to the write-ahead log. */
  function walSize(): number {
    return statSync(`${file}-wal`).size;
  }
});
