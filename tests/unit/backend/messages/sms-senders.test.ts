import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import type { SmsGateway } from "~/backend/messages/gateway.server";
import { smsapiGateway } from "~/backend/messages/smsapi.server";
import { startSmsapiServer } from "../../../smsapi-server";
import { onRacingDatabase } from "../../../database";
import { ACCEPTED, SmsSenderHarness, DOWN, turnsUntil } from "./sms-sender-harness";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

onRacingDatabase((kind) => {
  describe("several SMS senders on one queue", () => {
    let harness: SmsSenderHarness;
    beforeEach(async () => {
      harness = await SmsSenderHarness.open(kind);
    });
    afterEach(() => harness.close());

    it("[S32] send each message once", async () => {
      const three = [
        harness.smsSender(),
        harness.smsSender({ store: await harness.connect() }),
        harness.smsSender({ store: await harness.connect() }),
      ];
      const texts = Array.from({ length: 40 }, (_, nth) => `kod ${nth}`);
      await harness.leave(...texts);
      await Promise.all(three.map((smsSender) => harness.round(smsSender)));
      expect(harness.gateway.offered.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
      expect(await harness.waiting()).toBe(0);
    });

    it("[S32] take over from one killed between sending and deleting, and only one SMS goes out", async () => {
      const server = await startSmsapiServer();
      const { url, token } = server;
      const smsapi = smsapiGateway({ url, token, sender: "Tarnea", timeoutMs: 5000 });
      const dies: SmsGateway = {
        name: "smsapi",
        send: async (sms, signal) => {
          await smsapi.send(sms, signal);
          // The sender is "killed" here: nothing happens until the test ends.
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              resolve(DOWN);
            });
          });
        },
      };
      const killed = harness.smsSender({ gateway: dies });
      await harness.leave("kod 111111");
      await killed.checkQueue();
      await turnsUntil(() => server.sent.length > 0);

      const successor = harness.smsSender({ gateway: smsapi });
      await harness.round(successor);
      expect(server.requests()).toBe(1);
      harness.now += 30 * SECOND;
      await harness.round(successor);
      expect(server.requests()).toBe(2);
      expect(server.sent).toHaveLength(1);
      expect(await harness.waiting()).toBe(0);
      await server.close();
    });
  });
});

describe("one of several SMS senders", () => {
  let harness: SmsSenderHarness;
  beforeEach(async () => {
    harness = await SmsSenderHarness.open();
  });
  afterEach(() => harness.close());

  it("starts nothing new while stopping, aborts what takes too long, and another takes over", async () => {
    const { gateway } = harness;
    const stops = harness.smsSender();
    gateway.does = (_sms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve(DOWN);
        });
      });
    await harness.leave("kod 111111");
    await stops.checkQueue();
    await turnsUntil(() => gateway.offered.length > 0);
    await stops.close();
    await harness.round(stops);
    expect(gateway.offered).toHaveLength(1);
    expect(await harness.waiting()).toBe(1);

    gateway.does = () => Promise.resolve(ACCEPTED);
    harness.now += MINUTE;
    await harness.round(harness.smsSender());
    expect(await harness.waiting()).toBe(0);
  });

  it("leaves a message that it can't decrypt to a sender that can", async () => {
    const stranger = harness.smsSender({ keyring: makeKeyring([{ version: 1, key: randomBytes(32) }]) });
    const smsSender = harness.smsSender();
    await harness.leave("kod 111111");
    await harness.round(stranger);
    expect(harness.gateway.offered).toEqual([]);
    expect(harness.logged.join("")).toContain('"event":"sms-gateway-unusable"');
    harness.now += MINUTE;
    await harness.round(smsSender);
    expect(harness.gateway.offered).toHaveLength(1);
  });
});
