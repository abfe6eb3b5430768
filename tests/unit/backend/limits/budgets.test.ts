import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, messagesTo } from "../../../contract/browser";
import { hasPostgres, onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { connectTo } from "../../../postgres-server";
import { openTestBackend, type TestBackend } from "../test-backend";

const REMIND = "/home/api/user/login-remind/init";

onAnyDatabase((kind) => {
  describe("[S106] the budgets for messages", () => {
    let way: TestBackend;
    let addresses = 0;
    beforeEach(async () => {
      const limits = {
        ...defaultLimits("production"),
        SMS_OPEN_TOTAL_PER_HOUR: 5,
        SMS_KNOWN_TOTAL_PER_HOUR: 2,
      };
      way = await openTestBackend({ kind, limits });
    });
    afterEach(() => way.close());

    const stranger = () => new Browser(way, `203.0.113.${(addresses += 1)}`);
    const remind = (browser: Browser, policyNo: string) => browser.post(REMIND, { policyNo });
    const events = () =>
      way.logged
        .map((line) => JSON.parse(line) as { event?: string; budget?: string })
        .filter(({ event }) => event === "sms-total-cap-reached")
        .map(({ budget }) => budget);

    async function useUpOpen(): Promise<void> {
      for (let nth = 0; nth < 3; nth += 1) {
        await remind(stranger(), ANNA.policyNo);
        await remind(stranger(), PIOTR.policyNo);
      }
    }

    it("are separate: what strangers cause never costs a customer with the right password a code", async () => {
      await useUpOpen();
      expect((await messagesTo(way, ANNA.phone)) + (await messagesTo(way, PIOTR.phone))).toBe(5);
      const before = await messagesTo(way, PIOTR.phone);
      const owner = stranger();
      await owner.login(PIOTR);
      expect((await owner.askForCode()).status).toBe(200);
      expect(await messagesTo(way, PIOTR.phone)).toBe(before + 1);
    });

    it("are not used up by details that match nobody", async () => {
      for (let nth = 0; nth < 20; nth += 1) await remind(stranger(), `POL-9000${nth}`);
      await remind(stranger(), ANNA.policyNo);
      expect(await messagesTo(way, ANNA.phone)).toBe(1);
    });

    it("don't reveal that the open one is used up, for known or unknown details, and raise an alarm", async () => {
      await useUpOpen();
      expect(events()).toEqual(["open"]);
      for (const policyNo of [ANNA.policyNo, "POL-999999"]) {
        const { status, body } = await remind(stranger(), policyNo);
        expect({ status, body }).toEqual({ status: 200, body: {} });
      }
    });

    it("tell a customer behind a right password how long to wait, and raise an alarm", async () => {
      const ask = async () => {
        const browser = stranger();
        await browser.login(ANNA);
        return browser.askForCode();
      };
      for (let nth = 0; nth < 2; nth += 1) expect((await ask()).status).toBe(200);
      expect((await ask()).body).toEqual({ errorCode: "rate-limited", retryAfterSeconds: 3600 });
      expect(events()).toEqual(["known"]);
    });
  });
});

describe.skipIf(!hasPostgres)("[S106] a request that is held up on PostgreSQL", () => {
  it("holds up no request of others, though they share its address and its budget", async () => {
    const way = await openTestBackend({ kind: "postgres" });
    const held = new Browser(way);
    await held.post(REMIND, { policyNo: ANNA.policyNo });
    way.advance(60_000);
    // The row of its code is locked for now, as if its process were busy in the middle of the transaction.
    const locker = await connectTo(way.place.on?.url ?? "");
    await locker.query("begin; select id from codes for update");
    try {
      const later = held.post(REMIND, { policyNo: ANNA.policyNo });
      const waiting =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await vi.waitUntil(async () => (await way.query(waiting)).length > 0);
      const other = new Browser(way).post(REMIND, { policyNo: PIOTR.policyNo });
      await vi.waitUntil(async () => (await messagesTo(way, PIOTR.phone)) === 1);
      expect((await other).status).toBe(200);
      expect(await way.query(waiting)).toHaveLength(1);
      await locker.query("commit");
      expect((await later).status).toBe(200);
    } finally {
      await locker.end();
      await way.close();
    }
  });
});
