import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCEPTED, DOWN, SmsSenderHarness, turnsUntil } from "../messages/sms-sender-harness";
import type { Delivery } from "~/backend/messages/delivery.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import { onAnyDatabase } from "../../../database";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const isNotice = ({ text }: { readonly text: string }) => text.startsWith("notice");
const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${word} ${nth + 1}`);

onAnyDatabase((kind) => {
  describe("[S96] SMS notices in the queue", () => {
    let harness: SmsSenderHarness;
    let release: (delivery: Delivery) => void;
    beforeEach(async () => {
      harness = await SmsSenderHarness.open(kind);
    });
    afterEach(() => harness.close());

    const offered = () => harness.gateway.offered.map(({ text }) => text);
    /** The gateway answers for notices only once `release` is called. */
    function hangOnNotices(): void {
      const answer = new Promise<Delivery>((resolve) => {
        release = resolve;
      });
      harness.gateway.does = (sms) => (isNotice(sms) ? answer : Promise.resolve(ACCEPTED));
    }

    it("go after codes, even after those that are tried again", async () => {
      const smsSender = harness.smsSender({ limits: { SMS_PARALLEL: 1 } });
      harness.gateway.does = () => Promise.resolve(DOWN);
      await harness.leave("code 1");
      await harness.round(smsSender);
      harness.gateway.does = () => Promise.resolve(ACCEPTED);
      await harness.leaveNotices("notice 1", "notice 2");
      harness.now += SECOND;
      await harness.leave("code 2");
      harness.now += 10 * SECOND;
      await harness.round(smsSender);
      expect(offered()).toEqual(["code 1", "code 2", "code 1", "notice 1", "notice 2"]);
      expect(await harness.waiting()).toBe(0);
    });

    it.each([
      [8, 4],
      [3, 1],
      [2, 1],
    ])("of %i workers occupy %i at most, so that a slow gateway holds up no code", async (all, most) => {
      hangOnNotices();
      const smsSender = harness.smsSender({ limits: { SMS_PARALLEL: all } });
      await harness.leaveNotices(...numbered("notice", 12));
      await smsSender.checkQueue();
      await turnsUntil(() => offered().length === most);
      for (const text of numbered("code", 12))
        await harness.store.write((tx) => smsSender.put(tx, harness.message(text)));
      await turnsUntil(async () => (await harness.waiting()) === 12);
      expect(offered().filter((text) => text.startsWith("notice"))).toHaveLength(most);
      release(ACCEPTED);
      await smsSender.idle();
      expect(await harness.waiting()).toBe(0);
      expect(new Set(offered()).size).toBe(24);
    });

    it("are offered for 24 hours, then given up with text and number, and logged", async () => {
      const smsSender = harness.smsSender();
      harness.gateway.does = () => Promise.resolve(DOWN);
      await harness.leaveNotices("notice 1");
      for (let hour = 0; hour < 24; hour += 1) {
        await harness.round(smsSender);
        expect(offered()).toHaveLength(hour + 1);
        harness.now += HOUR;
      }
      expect(await harness.waiting()).toBe(1);
      await harness.round(smsSender);
      expect(offered()).toHaveLength(24);
      expect(await harness.waiting()).toBe(0);
      const given = harness.logged.filter((line) => line.includes('"event":"sms-given-up"'));
      expect(given).toEqual([expect.stringContaining('"purpose":"notice"')]);
      expect(harness.logged.join("")).not.toMatch(/notice 1|500100001/);
    });

    it("that wait raise no alarm about codes", async () => {
      const oldest = () => metricsRegistry().getSingleMetricAsString("portal_sms_queue_oldest_seconds");
      const smsSender = harness.smsSender();
      harness.gateway.does = () => Promise.resolve(DOWN);
      await harness.leaveNotices("notice 1");
      smsSender.start();
      await harness.round(smsSender);
      harness.now += HOUR;
      expect(await oldest()).toMatch(/ 0$/);
      await harness.leave("code 1");
      harness.now += 4 * SECOND;
      expect(await oldest()).toMatch(/ 4$/);
    });
  });
});
