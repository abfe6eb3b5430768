import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "~/backend/store/open-database.server";
import { Overtaken, type Store } from "~/backend/store/store.server";
import { defaultLimits } from "~/platform/config/limits";
import { makeLog } from "~/platform/telemetry/log.server";
import { Browser, messagesTo } from "../../../contract/browser";
import { onEachDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { openTestBackend } from "../test-backend";
import { emptyPlace, type Place } from "../test-place";

const BROKEN = new Error("broken");

onEachDatabase((kind) => {
  describe("work whose after-commit action fails", () => {
    let place: Place;
    let store: Store;
    let report: (error: unknown) => void;
    let reported: unknown[];
    beforeAll(async () => {
      place = await emptyPlace(kind);
      store = await openDatabase(
        place.database,
        place.dataDir,
        () => undefined,
        (error) => {
          report(error);
        },
      );
    });
    beforeEach(async () => {
      reported = [];
      report = (error) => reported.push(error);
      await store.write((tx) => tx.deleteFrom("facts").execute());
    });
    afterAll(() => store.close());

    const put = (name: string, ...actions: (() => void)[]) =>
      store.write(async (tx) => {
        for (const action of actions) tx.afterCommit(action);
        await tx.insertInto("facts").values({ name, value: "" }).execute();
        return name;
      });
    const names = async () =>
      (await place.query("select name from facts order by name")).map(({ name }) => name);

    it("is answered as committed, and its other actions run", async () => {
      let done = 0;
      const count = () => (done += 1);
      expect(await put("a", count, fail, count)).toBe("a");
      expect([await names(), done, reported]).toEqual([["a"], 2, [BROKEN]]);
    });

    it("harms no other work of the same commit", async () => {
      let done = 0;
      const count = () => (done += 1);
      const ended = await Promise.all([put("a", count), put("b", fail), put("c", count), put("d")]);
      expect(ended).toEqual(["a", "b", "c", "d"]);
      expect([await names(), done, reported]).toEqual([ended, 2, [BROKEN]]);
    });

    it("does not run again, whatever the action throws", async () => {
      const overtaken = new Overtaken("too late");
      const late = () => {
        throw overtaken;
      };
      expect(await put("a", late)).toBe("a");
      expect(reported).toEqual([overtaken]);
    });

    it("is answered as committed even if the failure can't be reported", async () => {
      report = fail;
      expect(await Promise.all([put("a", fail), put("b")])).toEqual(["a", "b"]);
    });
  });
});

it("a customer gets the code and the answer even if the log can't take a line about it", async () => {
  const lines: string[] = [];
  const write = (line: string) => {
    if (line.includes("sms-total-cap-reached")) throw new Error("no space left");
    lines.push(line);
  };
  const limits = { ...defaultLimits("production"), SMS_OPEN_TOTAL_PER_HOUR: 1 };
  const way = await openTestBackend({ limits, log: makeLog("debug", { write }) });
  const { status } = await new Browser(way).post("/home/api/user/login-remind/init", {
    policyNo: ANNA.policyNo,
  });
  expect([status, await messagesTo(way, ANNA.phone)]).toEqual([200, 1]);
  expect(lines).toContainEqual(expect.stringContaining("after-commit action failed"));
  await way.close();
});

function fail(): never {
  throw BROKEN;
}
