import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  blockedUntil,
  forgetAttempts,
  giveAttemptBack,
  reserveAttempt,
  type AttemptPolicy,
} from "~/backend/limits/attempts.server";
import type { Store } from "~/backend/store/store.server";
import { onRacingDatabase } from "../../../database";
import { emptyPlace, openStoreAt } from "../test-place";

const policy: AttemptPolicy = {
  limit: 3,
  blocks: [10, 20],
  forgetAfter: 100,
  forgetFrom: "last",
  blocksTries: true,
};

onRacingDatabase((kind) => {
  describe("counted tries", () => {
    let store: Store;
    beforeAll(async () => {
      store = await openStoreAt(await emptyPlace(kind));
    });
    beforeEach(() => store.write((tx) => tx.deleteFrom("attempts").execute()));
    afterAll(() => store.close());

    const reserve = (now: number, by = policy) => store.write((tx) => reserveAttempt(tx, by, "x", now));
    const giveBack = (reserved: Awaited<ReturnType<typeof reserve>>) =>
      store.write((tx) => giveAttemptBack(tx, policy, reserved));
    const tries = async () =>
      (await store.read.selectFrom("attempts").select("tries").executeTakeFirst())?.tries;

    it("a try given back makes room for another, even if the last one has caused a block", async () => {
      const first = await reserve(0);
      await reserve(0);
      await reserve(0);
      expect(await reserve(0)).toEqual({ kind: "blocked", until: 10 });
      await giveBack(first);
      expect(await tries()).toBe(2);
      expect((await reserve(0)).kind).toBe("reserved");
      expect((await reserve(0)).kind).toBe("blocked");
    });

    it("a block that giving back has lifted does not make the next one longer", async () => {
      await reserve(0);
      await reserve(0);
      await giveBack(await reserve(0));
      await reserve(1);
      expect(await reserve(1)).toEqual({ kind: "blocked", until: 11 });
    });

    it("a try given back after everything was forgotten doesn't reduce the new count", async () => {
      const late = await reserve(0);
      await store.write((tx) => forgetAttempts(tx, "x"));
      await reserve(1);
      await giveBack(late);
      expect(await tries()).toBe(1);
    });

    it("a try given back after a block has ended doesn't reduce the next count", async () => {
      const late = await reserve(0);
      await reserve(0);
      await reserve(0);
      await reserve(11);
      await giveBack(late);
      expect(await tries()).toBe(1);
    });

    it("are forgotten some time after the first or the last one, as the policy says", async () => {
      const fromFirst: AttemptPolicy = { ...policy, forgetFrom: "first" };
      await reserve(0, fromFirst);
      await reserve(60, fromFirst);
      await reserve(100, fromFirst);
      expect(await tries()).toBe(1);
      await store.write((tx) => forgetAttempts(tx, "x"));
      for (const now of [200, 260]) await reserve(now);
      expect((await reserve(320)).kind).toBe("reserved");
      expect((await reserve(320)).kind).toBe("blocked");
    });

    it("keep counting, and block again, if they only block something else", async () => {
      const open: AttemptPolicy = { ...policy, blocksTries: false, blocks: [10] };
      for (let nth = 0; nth < 5; nth += 1) expect((await reserve(nth, open)).kind).toBe("reserved");
      expect(await blockedUntil(store.read, "x")).toBe(12);
      await reserve(5, open);
      expect(await blockedUntil(store.read, "x")).toBe(15);
    });

    it("block at the first one if the limit is one", async () => {
      await reserve(0, { ...policy, limit: 1 });
      expect(await reserve(0, { ...policy, limit: 1 })).toEqual({ kind: "blocked", until: 10 });
    });
  });
});
