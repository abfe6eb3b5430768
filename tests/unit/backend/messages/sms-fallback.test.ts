import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import { smsapiGateway } from "~/backend/messages/smsapi.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import { LIMITS } from "~/platform/config/limits";
import { type Behaviour, startSmsapiServer } from "../../../smsapi-server";
import { onAnyDatabase } from "../../../database";
import { ACCEPTED, DOWN, SmsSenderHarness, TestGateway, turnsUntil } from "./sms-sender-harness";

const SECOND = 1000;
const REST_MS = LIMITS.SMS_FALLBACK_SECONDS * SECOND;
/** Longer than the longest wait before another attempt. */
const MINUTE = 60 * SECOND;
const BAD_TEXT: Delivery = { kind: "refused", reason: "status 400" };
const BAD_NUMBER: Delivery = { kind: "refused", reason: "error 13", about: "number" };
const NO_CREDITS: Delivery = { kind: "later", reason: "error 103: no credits left", alarm: true };
const TOO_OFTEN: Delivery = { kind: "later", reason: "error 52", alarm: false, about: "number" };

onAnyDatabase((kind) => {
  describe("two SMS gateways", () => {
    let harness: SmsSenderHarness;
    let fallback: TestGateway;
    beforeEach(async () => {
      harness = await SmsSenderHarness.open(kind);
      fallback = new TestGateway("webhook-fallback");
    });
    afterEach(() => harness.close());

    /** Lets both gateways answer like this from now on. */
    const answers = (first: Delivery, second: Delivery = ACCEPTED) => {
      harness.gateway.does = () => Promise.resolve(first);
      fallback.does = () => Promise.resolve(second);
    };
    /** How often the first and the second gateway were asked. */
    const asked = () => [harness.gateway.offered.length, fallback.offered.length];
    const send = async (sender = harness.smsSender({ fallback })) => {
      await harness.leave("kod 111111");
      await harness.round(sender);
      return sender;
    };
    const noted = () =>
      harness.store.read.selectFrom("messages").select(["state", "gateway"]).executeTakeFirst();

    it.each<[string, Delivery, [number, number]]>([
      ["accepts it", ACCEPTED, [1, 0]],
      ["refuses the number", BAD_NUMBER, [1, 0]],
      ["has had too many for the number", TOO_OFTEN, [1, 0]],
      ["refuses it for another reason", BAD_TEXT, [1, 1]],
      ["has no credits left", NO_CREDITS, [1, 1]],
      ["gives no answer", DOWN, [1, 1]],
    ])("[S152] the second gets a message only if the first one %s", async (_what, first, asks) => {
      answers(first);
      await send();
      expect(asked()).toEqual(asks);
      if (asks[1] === 1) {
        expect(fallback.offered).toEqual(harness.gateway.offered);
        expect(await noted()).toEqual({ state: "accepted", gateway: "webhook-fallback" });
        expect(await harness.waiting()).toBe(0);
      }
    });

    it.each<[string, Delivery, Delivery, string, number]>([
      ["the first may take it later, the second never", DOWN, BAD_TEXT, "waiting", 1],
      ["the second may take it later, the first never", BAD_TEXT, DOWN, "waiting", 1],
      ["both may take it later", NO_CREDITS, DOWN, "waiting", 1],
      ["both refuse it", BAD_TEXT, BAD_TEXT, "refused", 0],
      ["the second refuses the number", DOWN, BAD_NUMBER, "refused", 0],
    ])("waits while one of them may take it: %s", async (_what, first, second, state, waiting) => {
      answers(first, second);
      await send();
      expect(asked()).toEqual([1, 1]);
      expect(await noted()).toEqual({ state, gateway: "webhook-fallback" });
      expect(await harness.waiting()).toBe(waiting);
    });

    it("lets a first gateway that failed rest, and goes back to it by itself", async () => {
      answers(DOWN);
      const sender = await send();
      await send(sender);
      expect(asked()).toEqual([1, 2]);
      harness.now += REST_MS;
      await send(sender);
      expect(asked()).toEqual([2, 3]);
      harness.now += REST_MS;
      answers(ACCEPTED);
      await send(sender);
      await send(sender);
      expect(asked()).toEqual([4, 3]);
    });

    it("tries a rested gateway with one message, and keeps none of the others waiting for it", async () => {
      answers(DOWN);
      const sender = await send();
      harness.now += REST_MS;
      let answerNow: (delivery: Delivery) => void = () => undefined;
      harness.gateway.does = () =>
        new Promise((resolve) => {
          answerNow = resolve;
        });
      await harness.leave("kod 1", "kod 2", "kod 3", "kod 4");
      await sender.checkQueue();
      await turnsUntil(async () => (await harness.waiting()) === 1);
      expect(asked()).toEqual([2, 4]);
      answerNow(DOWN);
      await sender.idle();
      expect(asked()).toEqual([2, 5]);
      expect(await harness.waiting()).toBe(0);
    });

    it("asks a resting gateway if the second one fails", async () => {
      answers(DOWN);
      const sender = await send();
      answers(ACCEPTED, DOWN);
      await send(sender);
      expect(asked()).toEqual([2, 2]);
      expect(await harness.waiting()).toBe(0);
    });

    it("holds a message for as long as both may take to answer", async () => {
      harness.gateway.does = (_sms, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            resolve(DOWN);
          });
        });
      await harness.leave("kod 111111");
      await harness.smsSender({ fallback }).checkQueue();
      await turnsUntil(() => harness.gateway.offered.length === 1);
      harness.now += 3 * LIMITS.SMS_SEND_MS + SECOND;
      await harness.round(harness.smsSender({ fallback }));
      expect(asked()).toEqual([1, 0]);
    });

    it("asks no second gateway while the process stops", async () => {
      const sender = harness.smsSender({ fallback });
      harness.gateway.does = (_sms, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            resolve(DOWN);
          });
        });
      await harness.leave("kod 111111");
      await sender.checkQueue();
      await turnsUntil(() => harness.gateway.offered.length === 1);
      await sender.close();
      expect(asked()).toEqual([1, 0]);
      expect(await harness.waiting()).toBe(1);
    });

    it("[S93] counts and logs each attempt under its gateway, without number and text", async () => {
      const count = async (labels: string) => {
        const text = await metricsRegistry().getSingleMetricAsString("portal_sms_deliveries_total");
        return Number(new RegExp(`{${labels}} (\\d+)`).exec(text)?.[1]);
      };
      const LABELS = [
        'gateway="webhook",result="retried"',
        'gateway="webhook",result="rejected"',
        'gateway="webhook-fallback",result="accepted"',
      ];
      const counts = () => Promise.all(LABELS.map(count));
      const before = await counts();
      for (const first of [DOWN, BAD_TEXT, NO_CREDITS]) {
        answers(first);
        await send(harness.smsSender({ fallback }));
      }
      const [retried = 0, rejected = 0, accepted = 0] = before;
      expect(await counts()).toEqual([retried + 3, rejected, accepted + 3]);
      const events = harness.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(events.map(({ event, gateway }) => [event, gateway])).toEqual([
        ["sms-passed-on", "webhook"],
        ["sms-accepted", "webhook-fallback"],
        ["sms-passed-on", "webhook"],
        ["sms-accepted", "webhook-fallback"],
        ["sms-gateway-unusable", "webhook"],
        ["sms-accepted", "webhook-fallback"],
      ]);
      expect(harness.logged.join("")).not.toMatch(/500100001|111111/);
    });

    it("after a time-out the message may arrive twice, with the same code and id", async () => {
      const [first, second] = [await startSmsapiServer(), await startSmsapiServer()];
      onTestFinished(async () => {
        await first.close();
        await second.close();
      });
      const account = { token: first.token, sender: "Tarnea", timeoutMs: 300 };
      first.behave("late");
      await send(
        harness.smsSender({
          gateway: smsapiGateway({ ...account, url: first.url }),
          fallback: smsapiGateway({ ...account, url: second.url, timeoutMs: 5000 }, "smsapi-fallback"),
        }),
      );
      expect(first.sent).toHaveLength(1);
      expect(second.sent).toEqual(first.sent);
      harness.now += MINUTE;
      expect(await harness.waiting()).toBe(0);
    });
  });
});

describe("a refusal about the number", () => {
  it.each<[Behaviour, boolean]>([
    [{ error: 13 }, true],
    [{ recipientError: 33 }, true],
    [{ error: 57 }, true],
    [{ error: 52 }, true],
    [{ error: 11 }, false],
    [{ error: 32 }, false],
    [{ error: 101 }, false],
    [{ error: 103 }, false],
    ["nonsense", false],
  ])("of SMSAPI.pl: %j, %s", async (behaviour, isAboutNumber) => {
    const server = await startSmsapiServer();
    onTestFinished(() => server.close());
    server.behave(behaviour);
    const gateway = smsapiGateway({
      url: server.url,
      token: server.token,
      sender: "Tarnea",
      timeoutMs: 5000,
    });
    const delivery = await gateway.send(SMS, new AbortController().signal);
    expect("about" in delivery).toBe(isAboutNumber);
  });
});

const SMS = { id: "1", to: "+48500100001", text: "kod 111111", sentAt: 0, endsAt: MINUTE };
