import { DefaultQueryExecutor } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { statement } from "~/backend/store/statement.server";
import type { Store } from "~/backend/store/store.server";
import { onEachDatabase } from "../../database";
import { emptyPlace, openStoreAt } from "./test-place";

interface Fact {
  readonly name: string;
  readonly value: string;
}

onEachDatabase((kind) => {
  describe("a statement", () => {
    let store: Store;
    beforeAll(async () => {
      store = await openStoreAt(await emptyPlace(kind));
    });
    beforeEach(() => store.write((tx) => tx.deleteFrom("facts").execute()));
    afterEach(() => vi.restoreAllMocks());
    afterAll(() => store.close());

    const makePut = () =>
      statement((db, { name, value }: Fact) =>
        db
          .insertInto("facts")
          .values({ name, value })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
          .returning("value"),
      );
    const facts = () => store.read.selectFrom("facts").selectAll().orderBy("name").execute();

    it("runs with the values of each run", async () => {
      const put = makePut();
      await store.write((tx) => put.rows(tx, { name: "a", value: "1" }));
      await store.write((tx) => put.rows(tx, { name: "b", value: "2" }));
      expect(await store.write((tx) => put.first(tx, { name: "a", value: "3" }))).toEqual({ value: "3" });
      expect(await facts()).toEqual([
        { name: "a", value: "3" },
        { name: "b", value: "2" },
      ]);
    });

    it.each(["write", "apart", "count"] as const)(
      "is refused after the work of its %s has ended",
      async (way) => {
        const put = makePut();
        const late = await store[way](async (db) => {
          await put.rows(db, { name: "a", value: "" });
          return () => put.rows(db, { name: "b", value: "" });
        });
        await expect(late()).rejects.toThrow(/ended|committed/);
        expect(await facts()).toEqual([{ name: "a", value: "" }]);
      },
    );

    it("answers with every row, or the first, or none", async () => {
      const put = makePut();
      const named = statement((db, { from }: { readonly from: string }) =>
        db.selectFrom("facts").select("name").where("name", ">=", from).orderBy("name"),
      );
      await store.write(async (tx) => {
        for (const name of ["a", "b", "c"]) await put.rows(tx, { name, value: "" });
      });
      expect(await named.rows(store.read, { from: "b" })).toEqual([{ name: "b" }, { name: "c" }]);
      expect(await named.first(store.read, { from: "b" })).toEqual({ name: "b" });
      expect(await named.first(store.read, { from: "d" })).toBeUndefined();
    });

    it("belongs to the transaction that it runs in", async () => {
      const put = makePut();
      const failing = store.write(async (tx) => {
        await put.rows(tx, { name: "undone", value: "" });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await facts()).toEqual([]);
    });

    it("is compiled once", async () => {
      const put = makePut();
      const compiled = vi.spyOn(DefaultQueryExecutor.prototype, "compileQuery");
      for (const name of ["a", "b", "c"]) await store.write((tx) => put.rows(tx, { name, value: "" }));
      const texts = compiled.mock.results.map(({ value }) => (value as { readonly sql: string }).sql);
      expect(texts.filter((text) => text.startsWith("insert"))).toHaveLength(1);
    });

    it("can't compute with its values, since it has none yet", async () => {
      const later = statement((db, { now }: { readonly now: number }) =>
        db
          .selectFrom("sessions")
          .select("id")
          .where("ends_at", ">", now + 1),
      );
      await expect(later.rows(store.read, { now: 1 })).rejects.toThrow(/computes with its value "now"/);
    });
  });
});
