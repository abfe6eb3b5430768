import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import { ACCEPTED, SmsSenderHarness, DOWN, turnsUntil } from "./sms-sender-harness";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe("the SMS sender", () => {
  let harness: SmsSenderHarness;
  beforeEach(async () => {
    harness = await SmsSenderHarness.open();
  });
  afterEach(() => harness.close());

  it("[S32] sends a message right after its commit, and keeps nothing of it", async () => {
    const smsSender = harness.smsSender();
    await harness.store.write(async (tx) => {
      await smsSender.put(tx, harness.message("kod 111111"));
      expect(harness.gateway.offered).toEqual([]);
    });
    await smsSender.idle();
    expect(harness.gateway.offered).toMatchObject([{ to: "+48500100001", text: "kod 111111" }]);
    expect(await harness.waiting()).toBe(0);
  });

  it("drops a message whose transaction failed", async () => {
    const smsSender = harness.smsSender();
    const failed = harness.store.write(async (tx) => {
      await smsSender.put(tx, harness.message("kod 111111"));
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    await harness.round(smsSender);
    expect(harness.gateway.offered).toEqual([]);
  });

  it("[S32] tries again with growing waits while the gateway is down, and loses nothing", async () => {
    const { gateway } = harness;
    const smsSender = harness.smsSender();
    gateway.does = () => Promise.resolve(DOWN);
    await harness.leave("kod 111111");
    const triedAt: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      const before = gateway.offered.length;
      await harness.round(smsSender);
      if (gateway.offered.length > before) triedAt.push(second);
      harness.now += SECOND;
    }
    expect(triedAt).toEqual([0, 5, 15, 35, 75, 135, 195]);
    gateway.does = () => Promise.resolve(ACCEPTED);
    harness.now += MINUTE;
    await harness.round(smsSender);
    expect(await harness.waiting()).toBe(0);
    expect(new Set(gateway.offered.map(({ id }) => id)).size).toBe(1);
  });

  it("[S32] drops a message whose code has expired, with text and number, and logs it", async () => {
    const smsSender = harness.smsSender();
    harness.gateway.does = () => Promise.resolve(DOWN);
    await harness.leave("kod 111111");
    await harness.round(smsSender);
    harness.now += 10 * MINUTE;
    await harness.round(smsSender);
    expect(harness.gateway.offered).toHaveLength(1);
    expect(await harness.waiting()).toBe(0);
    expect(harness.logged.join("")).toContain('"event":"sms-given-up"');
  });

  it("[S27] reports the length of the queue and the result of each attempt", async () => {
    const deliveries = async (result: string) => {
      const text = await metricsRegistry().getSingleMetricAsString("portal_sms_deliveries_total");
      return Number(new RegExp(`gateway="webhook",result="${result}"} (\\d+)`).exec(text)?.[1]);
    };
    const before = { retried: await deliveries("retried"), accepted: await deliveries("accepted") };
    const smsSender = harness.smsSender();
    harness.gateway.does = () => Promise.resolve(DOWN);
    await harness.leave("kod 111111", "kod 222222");
    smsSender.start();
    await harness.round(smsSender);
    harness.now += 4 * SECOND;
    expect(await metricsRegistry().getSingleMetricAsString("portal_sms_queue_messages")).toMatch(/ 2$/);
    expect(await metricsRegistry().getSingleMetricAsString("portal_sms_queue_oldest_seconds")).toMatch(/ 4$/);
    harness.gateway.does = () => Promise.resolve(ACCEPTED);
    harness.now += MINUTE;
    await harness.round(smsSender);
    expect(await deliveries("retried")).toBe(before.retried + 2);
    expect(await deliveries("accepted")).toBe(before.accepted + 2);
    expect(await metricsRegistry().getSingleMetricAsString("portal_sms_queue_oldest_seconds")).toMatch(/ 0$/);
  });

  it("gives up a message that the gateway will never accept", async () => {
    const smsSender = harness.smsSender();
    harness.gateway.does = () => Promise.resolve({ kind: "refused", reason: "status 422" });
    await harness.leave("kod 111111");
    await harness.round(smsSender);
    expect(await harness.waiting()).toBe(0);
    expect(harness.logged.join("")).toContain('"event":"sms-refused"');
  });

  it("[S93] logs neither number nor text, and stores neither in the clear", async () => {
    const smsSender = harness.smsSender();
    await harness.leave("kod 111111");
    const stored = JSON.stringify(await harness.store.read.selectFrom("messages").selectAll().execute());
    expect(stored).toContain("req-1");
    for (const delivery of [DOWN, { ...DOWN, alarm: true }, ACCEPTED]) {
      harness.gateway.does = () => Promise.resolve(delivery);
      await harness.round(smsSender);
      harness.now += MINUTE;
    }
    expect(harness.logged).toHaveLength(3);
    for (const kept of [stored, ...harness.logged]) expect(kept).not.toMatch(/500100001|111111/);
  });

  it("doesn't let a slow answer hold up other messages", async () => {
    const { gateway } = harness;
    const smsSender = harness.smsSender();
    let release: (delivery: Delivery) => void = () => undefined;
    const slow = new Promise<Delivery>((resolve) => {
      release = resolve;
    });
    gateway.does = ({ text }) => (text === "slow" ? slow : Promise.resolve(ACCEPTED));
    await harness.leave("slow", "kod 1", "kod 2", "kod 3");
    await smsSender.checkQueue();
    await turnsUntil(async () => (await harness.waiting()) === 1);
    expect(gateway.offered.map(({ text }) => text).toSorted()).toEqual(["kod 1", "kod 2", "kod 3", "slow"]);
    release(ACCEPTED);
    await smsSender.idle();
    expect(await harness.waiting()).toBe(0);
  });
});
