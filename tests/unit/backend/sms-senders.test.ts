import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import type { SmsGateway } from "~/backend/sms/gateway.server";
import { smsapiGateway } from "~/backend/sms/smsapi.server";
import { startSmsapiServer } from "../../smsapi-server";
import { onEachDatabase } from "../../database";
import { ACCEPTED, SmsSenderHarness, DOWN, turnsUntil } from "./sms-sender-harness";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

onEachDatabase((kind) => {
  describe("several couriers at one queue", () => {
    let house: SmsSenderHarness;
    beforeEach(async () => {
      house = await SmsSenderHarness.open(kind);
    });
    afterEach(() => house.close());

    it("[S32] send each message once", async () => {
      const three = [
        house.smsSender(),
        house.smsSender({ store: await house.connect() }),
        house.smsSender({ store: await house.connect() }),
      ];
      const texts = Array.from({ length: 40 }, (_, nth) => `kod ${nth}`);
      await house.leave(...texts);
      await Promise.all(three.map((smsSender) => house.round(smsSender)));
      expect(house.gateway.offered.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
      expect(await house.waiting()).toBe(0);
    });

    it("[S32] succeed one that was killed between sending and deleting: one SMS goes out", async () => {
      const server = await startSmsapiServer();
      const { url, token } = server;
      const smsapi = smsapiGateway({ url, token, sender: "Tarnea", timeoutMs: 5000 });
      const dies: SmsGateway = {
        name: "smsapi",
        send: async (sms, signal) => {
          await smsapi.send(sms, signal);
          // It is "killed" here, until the test is over.
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              resolve(DOWN);
            });
          });
        },
      };
      const killed = house.smsSender({ gateway: dies });
      await house.leave("kod 111111");
      await killed.checkQueue();
      await turnsUntil(() => server.sent.length > 0);

      const successor = house.smsSender({ gateway: smsapi });
      await house.round(successor);
      expect(server.requests()).toBe(1);
      house.now += 30 * SECOND;
      await house.round(successor);
      expect(server.requests()).toBe(2);
      expect(server.sent).toHaveLength(1);
      expect(await house.waiting()).toBe(0);
      await server.close();
    });
  });
});

describe("a courier beside others", () => {
  let house: SmsSenderHarness;
  beforeEach(async () => {
    house = await SmsSenderHarness.open();
  });
  afterEach(() => house.close());

  it("stops: it starts nothing new, breaks off what takes too long, and another takes over", async () => {
    const { gateway } = house;
    const stops = house.smsSender();
    gateway.does = (_sms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve(DOWN);
        });
      });
    await house.leave("kod 111111");
    await stops.checkQueue();
    await turnsUntil(() => gateway.offered.length > 0);
    await stops.close();
    await house.round(stops);
    expect(gateway.offered).toHaveLength(1);
    expect(await house.waiting()).toBe(1);

    gateway.does = () => Promise.resolve(ACCEPTED);
    house.now += MINUTE;
    await house.round(house.smsSender());
    expect(await house.waiting()).toBe(0);
  });

  it("leaves a message that it cannot decrypt to one that can", async () => {
    const stranger = house.smsSender({ keyring: makeKeyring([{ version: 1, key: randomBytes(32) }]) });
    const smsSender = house.smsSender();
    await house.leave("kod 111111");
    await house.round(stranger);
    expect(house.gateway.offered).toEqual([]);
    expect(house.logged.join("")).toContain('"event":"sms-gateway-unusable"');
    house.now += MINUTE;
    await house.round(smsSender);
    expect(house.gateway.offered).toHaveLength(1);
  });
});
