import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store, Tx } from "~/backend/store/store.server";
import { onEachDatabase } from "../../../database";
import { emptyPlace, openStoreAt, type Place } from "../test-place";

onEachDatabase((kind) => {
  describe("the store", () => {
    let place: Place;
    let store: Store;
    beforeAll(async () => {
      place = await emptyPlace(kind);
      store = await openStoreAt(place);
    });
    beforeEach(() => store.write((tx) => tx.deleteFrom("facts").execute()));
    afterAll(() => store.close());

    const put = (name: string, value = "") =>
      store.write((tx) => tx.insertInto("facts").values({ name, value }).execute());
    const facts = () => store.read.selectFrom("facts").selectAll().orderBy("name").execute();

    it("commits what was written, visible to others, before it reports success", async () => {
      await put("a", "1");
      expect(await place.query("select * from facts")).toEqual([{ name: "a", value: "1" }]);
    });

    it("keeps the changes if the work returns a refusal, and rolls them back if it throws", async () => {
      const refused = await store.write(async (tx) => {
        await tx.insertInto("facts").values({ name: "counted", value: "" }).execute();
        return "refused";
      });
      const failing = store.write(async (tx) => {
        await tx.insertInto("facts").values({ name: "undone", value: "" }).execute();
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect([refused, await facts()]).toEqual(["refused", [{ name: "counted", value: "" }]]);
    });

    it("refuses a key that is taken, without affecting other work", async () => {
      const ended = await Promise.allSettled([put("a"), put("b"), put("a"), put("c")]);
      expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(1);
      expect((await facts()).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    });

    it("runs work again if its key has just been taken, and the work then finds it taken", async () => {
      const take = (value: string) =>
        store.write(async (tx) => {
          const taken = await tx
            .selectFrom("facts")
            .select("value")
            .where("name", "=", "name")
            .executeTakeFirst();
          if (taken) return "taken";
          await tx.insertInto("facts").values({ name: "name", value }).execute();
          return "mine";
        });
      const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => take(String(nth))));
      expect(answers.filter((answer) => answer === "mine")).toHaveLength(1);
      expect(new Set(answers)).toEqual(new Set(["mine", "taken"]));
    });

    it("runs an after-commit action once, however often the work ran", async () => {
      let done = 0;
      const work = (name: string) =>
        store.write(async (tx) => {
          tx.afterCommit(() => (done += 1));
          const taken = await tx
            .selectFrom("facts")
            .select("name")
            .where("name", "=", name)
            .executeTakeFirst();
          if (!taken) await tx.insertInto("facts").values({ name, value: "" }).execute();
        });
      await Promise.all(Array.from({ length: 20 }, () => work("same")));
      expect(done).toBe(20);
      const failing = store.write((tx) => {
        tx.afterCommit(() => (done += 1));
        return Promise.reject(new Error("no"));
      });
      await expect(failing).rejects.toThrow("no");
      expect(done).toBe(20);
    });

    it("refuses an after-commit action of work that has ended, committed or not, rather than drop it", async () => {
      const act = () => undefined;
      const works: Tx[] = [];
      await store.write((tx) => {
        works.push(tx);
        return Promise.resolve();
      });
      const failing = store.write((tx) => {
        works.push(tx);
        return Promise.reject(new Error("no"));
      });
      await expect(failing).rejects.toThrow("no");
      expect(works).toHaveLength(2);
      for (const tx of works) expect(() => tx.afterCommit(act)).toThrow("afterCommit needs the transaction");
    });

    it("refuses a query of work that has ended", async () => {
      const late = await store.write(async (tx) => {
        await tx.insertInto("facts").values({ name: "a", value: "" }).execute();
        return () => tx.insertInto("facts").values({ name: "b", value: "" }).execute();
      });
      await expect(late()).rejects.toThrow("committed");
      expect((await facts()).map(({ name }) => name)).toEqual(["a"]);
    });

    it("lets no more of fifty conditional statements through than allowed", async () => {
      await put("count", "0");
      let done = 0;
      const raise = () =>
        store.write(async (tx) => {
          tx.afterCommit(() => (done += 1));
          return tx
            .updateTable("facts")
            .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
            .where("name", "=", "count")
            .where(sql<boolean>`cast(value as bigint) < 30`)
            .returning("value")
            .executeTakeFirst();
        });
      const raised = await Promise.all(Array.from({ length: 50 }, raise));
      expect(raised.filter((row) => row !== undefined)).toHaveLength(30);
      expect(await facts()).toEqual([{ name: "count", value: "30" }]);
      expect(done).toBe(50);
    });

    it("locks rows read for a change: of two that read and write, the second sees what the first wrote", async () => {
      await put("sum", "0");
      const add = () =>
        store.write(async (tx) => {
          const { value } = await tx
            .selectFrom("facts")
            .select("value")
            .where("name", "=", "sum")
            .forNoKeyUpdate()
            .executeTakeFirstOrThrow();
          await tx
            .updateTable("facts")
            .set({ value: String(Number(value) + 1) })
            .where("name", "=", "sum")
            .execute();
        });
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await facts()).toEqual([{ name: "sum", value: "20" }]);
    });

    it("returns times, counts and sums as numbers", async () => {
      const now = Date.UTC(2026, 10, 20, 12);
      await store.write((tx) =>
        tx.insertInto("windows").values({ bucket: "b", count: 3, ends_at: now }).execute(),
      );
      const row = await store.read
        .selectFrom("windows")
        .select((eb) => [
          eb.fn.max("ends_at").as("latest"),
          eb.fn.countAll().as("rows"),
          eb.fn.sum("count").as("sum"),
        ])
        .executeTakeFirst();
      expect(row).toEqual({ latest: now, rows: 1, sum: 3 });
    });

    it("stores any text unchanged, and orders it byte by byte", async () => {
      const texts = ["Zażółć gęślą jaźń", "'; drop table facts; --", "💥\u202e", "a-b", "ab", "B", "ą"];
      for (const text of texts) await put(text, text);
      const kept = (await facts()).map(({ value }) => value);
      expect(kept).toEqual(
        [...texts].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
      );
    });

    it("reports that it is usable", async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
});
