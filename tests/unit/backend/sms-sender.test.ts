import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/sms/gateway.server";
import { metrics } from "~/platform/metrics.server";
import { ACCEPTED, SmsSenderHarness, DOWN, turnsUntil } from "./sms-sender-harness";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe("the courier of text messages", () => {
  let house: SmsSenderHarness;
  beforeEach(async () => {
    house = await SmsSenderHarness.open();
  });
  afterEach(() => house.close());

  it("[S32] sends a message right after its commit, and keeps nothing of it", async () => {
    const smsSender = house.smsSender();
    await house.store.write(async (tx) => {
      await smsSender.put(tx, house.message("kod 111111"));
      expect(house.gateway.offered).toEqual([]);
    });
    await smsSender.idle();
    expect(house.gateway.offered).toMatchObject([{ to: "+48500100001", text: "kod 111111" }]);
    expect(await house.waiting()).toBe(0);
  });

  it("takes back a message whose transaction failed", async () => {
    const smsSender = house.smsSender();
    const failed = house.store.write(async (tx) => {
      await smsSender.put(tx, house.message("kod 111111"));
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    await house.round(smsSender);
    expect(house.gateway.offered).toEqual([]);
  });

  it("[S32] tries again with growing waits while the gateway is down, and loses nothing", async () => {
    const { gateway } = house;
    const smsSender = house.smsSender();
    gateway.does = () => Promise.resolve(DOWN);
    await house.leave("kod 111111");
    const triedAt: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      const before = gateway.offered.length;
      await house.round(smsSender);
      if (gateway.offered.length > before) triedAt.push(second);
      house.now += SECOND;
    }
    expect(triedAt).toEqual([0, 5, 15, 35, 75, 135, 195]);
    gateway.does = () => Promise.resolve(ACCEPTED);
    house.now += MINUTE;
    await house.round(smsSender);
    expect(await house.waiting()).toBe(0);
    expect(new Set(gateway.offered.map(({ id }) => id)).size).toBe(1);
  });

  it("[S32] drops a message whose code has ended, text and number, and says so", async () => {
    const smsSender = house.smsSender();
    house.gateway.does = () => Promise.resolve(DOWN);
    await house.leave("kod 111111");
    await house.round(smsSender);
    house.now += 10 * MINUTE;
    await house.round(smsSender);
    expect(house.gateway.offered).toHaveLength(1);
    expect(await house.waiting()).toBe(0);
    expect(house.logged.join("")).toContain('"event":"sms-given-up"');
  });

  it("[S27] shows how long the queue is, and what comes of each attempt", async () => {
    const deliveries = async (result: string) => {
      const text = await metrics().registry.getSingleMetricAsString("portal_sms_deliveries_total");
      return Number(new RegExp(`gateway="webhook",result="${result}"} (\\d+)`).exec(text)?.[1]);
    };
    const before = { retried: await deliveries("retried"), accepted: await deliveries("accepted") };
    const smsSender = house.smsSender();
    house.gateway.does = () => Promise.resolve(DOWN);
    await house.leave("kod 111111", "kod 222222");
    smsSender.start();
    await house.round(smsSender);
    house.now += 4 * SECOND;
    await metrics().smsQueue.refresh();
    expect(await metrics().registry.getSingleMetricAsString("portal_sms_queue_messages")).toMatch(/ 2$/);
    expect(await metrics().registry.getSingleMetricAsString("portal_sms_queue_oldest_seconds")).toMatch(
      / 4$/,
    );
    house.gateway.does = () => Promise.resolve(ACCEPTED);
    house.now += MINUTE;
    await house.round(smsSender);
    expect(await deliveries("retried")).toBe(before.retried + 2);
    expect(await deliveries("accepted")).toBe(before.accepted + 2);
    await metrics().smsQueue.refresh();
    expect(await metrics().registry.getSingleMetricAsString("portal_sms_queue_oldest_seconds")).toMatch(
      / 0$/,
    );
  });

  it("gives up a message that the gateway will never take", async () => {
    const smsSender = house.smsSender();
    house.gateway.does = () => Promise.resolve({ kind: "refused", reason: "status 422" });
    await house.leave("kod 111111");
    await house.round(smsSender);
    expect(await house.waiting()).toBe(0);
    expect(house.logged.join("")).toContain('"event":"sms-refused"');
  });

  it("[S93] logs neither number nor text, and keeps none in the clear", async () => {
    const smsSender = house.smsSender();
    await house.leave("kod 111111");
    const dump = JSON.stringify(await house.store.read.selectFrom("sms_queue").selectAll().execute());
    expect(dump).toContain("req-1");
    for (const delivery of [DOWN, { ...DOWN, alarm: true }, ACCEPTED]) {
      house.gateway.does = () => Promise.resolve(delivery);
      await house.round(smsSender);
      house.now += MINUTE;
    }
    expect(house.logged).toHaveLength(3);
    for (const kept of [dump, ...house.logged]) expect(kept).not.toMatch(/500100001|111111/);
  });

  it("lets a slow answer hold up no other message", async () => {
    const { gateway } = house;
    const smsSender = house.smsSender();
    let release: (delivery: Delivery) => void = () => undefined;
    const slow = new Promise<Delivery>((resolve) => {
      release = resolve;
    });
    gateway.does = ({ text }) => (text === "slow" ? slow : Promise.resolve(ACCEPTED));
    await house.leave("slow", "kod 1", "kod 2", "kod 3");
    await smsSender.checkQueue();
    await turnsUntil(async () => (await house.waiting()) === 1);
    expect(gateway.offered.map(({ text }) => text).toSorted()).toEqual(["kod 1", "kod 2", "kod 3", "slow"]);
    release(ACCEPTED);
    await smsSender.idle();
    expect(await house.waiting()).toBe(0);
  });
});
