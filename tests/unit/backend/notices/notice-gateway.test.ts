import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import { defaultLimits } from "~/platform/config/limits";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import type { Way } from "../../../contract/way";
import { CAUSES, FACTS, NOTICES, isNotice } from "./notice-steps";
import { ACCEPTED, DOWN, TestGateway, turnsUntil } from "../messages/sms-sender-harness";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";
import { WAITING_SMS } from "../../../waiting";

/** Stopping doesn't wait for the gateway. */
const limits = { ...defaultLimits("demo"), SMS_STOP_MS: 1 };

/** The gateway's ways to treat notices, and whether they then wait in the queue. */
const GATEWAYS: readonly (readonly [string, (signal: AbortSignal) => Promise<Delivery>, boolean])[] = [
  ["is away", () => Promise.resolve(DOWN), true],
  ["is unusable", () => Promise.resolve({ kind: "later", reason: "status 401", alarm: true }), true],
  ["refuses them", () => Promise.resolve({ kind: "refused", reason: "status 422" }), false],
  ["never answers", untilAborted, true],
];

function untilAborted(signal: AbortSignal): Promise<Delivery> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve(DOWN);
    });
  });
}

onAnyDatabase((kind) => {
  describe("[S96] a gateway's trouble with notices", () => {
    let backend: TestBackend;
    let gateway: TestGateway;
    let way: Way;
    beforeEach(async () => {
      gateway = new TestGateway();
      backend = await openTestBackend({ kind, sms: gateway, noticeTexts: NOTICES, limits });
      way = { ...backend, askForCode };
    });
    afterEach(() => backend.close());

    const codes = () => gateway.offered.filter(({ text }) => !isNotice(text));
    let used = 0;

    /** Waits until the next code has reached the gateway. */
    async function askForCode(phone: string): Promise<string> {
      await turnsUntil(() => codes().length > used);
      used = codes().length;
      return /\d{6}/.exec(codes().findLast(({ to }) => to === phone)?.text ?? "")?.[0] ?? "";
    }

    it.each(GATEWAYS)("keeps no change and no code waiting: it %s", async (_what, does, waits) => {
      used = 0;
      gateway.does = ({ text }, signal) => (isNotice(text) ? does(signal) : Promise.resolve(ACCEPTED));
      for (const event of ["device-replayed", "sign-in-locked", "password-reset"] as const)
        await CAUSES[event](way);
      const texts = () => gateway.offered.map(({ text }) => text).filter(isNotice);
      await turnsUntil(() => texts().length >= 4);
      expect(texts().toSorted()).toEqual(
        (["device-replayed", "device-trusted", "password-reset", "sign-in-locked"] as const)
          .map((event) => NOTICES[event]({ at: NOON, ...FACTS[event] }))
          .toSorted(),
      );
      const queue = () => backend.query(`select * from ${WAITING_SMS}`);
      await turnsUntil(async () => (await queue()).length === (waits ? 4 : 0));
      // Each is given up a day after it was written.
      for (const row of await queue()) expect(row["ends_at"]).toBe(NOON + 24 * 3_600_000);
      expect(JSON.stringify(await queue())).not.toMatch(new RegExp(`Tarnea|${ANNA.phone.slice(3)}`));
      expect(backend.logged.join("")).not.toMatch(/To nie Ty|500100001/);
    });
  });
});
