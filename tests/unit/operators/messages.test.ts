import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import { endWaiting } from "~/backend/messages/message-rows.server";
import { lastMessages } from "~/backend/support/last-messages.server";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { Browser, messagesTo } from "../../contract/browser";
import { DOWN, SmsSenderHarness, turnsUntil } from "../backend/messages/sms-sender-harness";
import { openTestBackend } from "../backend/test-backend";

const MINUTE = 60_000;
const REFUSED: Delivery = { kind: "refused", reason: "error 13: the number cannot receive" };

onAnyDatabase((kind) => {
  describe("what became of a message", () => {
    let harness: SmsSenderHarness;
    beforeEach(async () => {
      harness = await SmsSenderHarness.open(kind);
    });
    afterEach(() => harness.close());

    const last = async () => (await lastMessages(harness.store.read, "anna"))[0];
    /** Sends a code through a gateway that answers like this. */
    const send = async (delivery: Delivery) => {
      harness.gateway.does = () => Promise.resolve(delivery);
      await harness.leave("kod 111111");
      await harness.round(harness.smsSender());
    };

    it("says that it waits, since when, and why; then who took it, when, and what they call it", async () => {
      await send(DOWN);
      const writtenAt = new Date(harness.now);
      expect(await last()).toMatchObject({
        purpose: "login",
        state: "waiting",
        reason: "unreachable",
        writtenAt,
      });
      harness.now += MINUTE;
      harness.gateway.does = () => Promise.resolve({ kind: "accepted", id: "63731" });
      await harness.round(harness.smsSender());
      expect(await last()).toEqual({
        purpose: "login",
        state: "accepted",
        gateway: "webhook",
        gatewayId: "63731",
        writtenAt,
        since: new Date(harness.now),
      });
    });

    it("says that the gateway refused it, and why; the audit has message-refused", async () => {
      await send(REFUSED);
      expect(await last()).toMatchObject({ state: "refused", reason: REFUSED.reason, gateway: "webhook" });
      const events = await harness.store.read
        .selectFrom("audit_events")
        .select(["event", "subject", "purpose", "reason", "request_id", "address"])
        .execute();
      expect(events).toEqual([
        {
          event: "message-refused",
          subject: "anna",
          purpose: "login",
          reason: REFUSED.reason,
          request_id: "req-1",
          address: "",
        },
      ]);
    });

    it("says that no gateway took it in time", async () => {
      await send(DOWN);
      harness.now += 10 * MINUTE;
      await harness.round(harness.smsSender());
      expect(await last()).toMatchObject({ state: "given-up", reason: "unreachable" });
    });

    it("says that the gateway took it after all, if the answer comes when the message was given up", async () => {
      let answer: (delivery: Delivery) => void = () => undefined;
      harness.gateway.does = () =>
        new Promise((resolve) => {
          answer = resolve;
        });
      await harness.leave("kod 111111");
      const sender = harness.smsSender();
      await sender.checkQueue();
      await turnsUntil(() => harness.gateway.offered.length === 1);
      harness.now += 11 * MINUTE;
      await harness.smsSender().checkQueue();
      expect(await last()).toMatchObject({ state: "given-up" });
      answer({ kind: "accepted", id: "63731" });
      await sender.idle();
      expect(await last()).toMatchObject({ state: "accepted", gatewayId: "63731" });
    });

    it("is told of the last message of each kind, the newest first", async () => {
      await send({ kind: "accepted", id: "1" });
      harness.now += MINUTE;
      await harness.leaveNotices("zmieniono haslo");
      await harness.round(harness.smsSender());
      harness.now += MINUTE;
      await send(REFUSED);
      const told = await lastMessages(harness.store.read, "anna");
      expect(told.map(({ purpose, state }) => [purpose, state])).toEqual([
        ["login", "refused"],
        ["notice", "accepted"],
      ]);
      expect(await lastMessages(harness.store.read, "piotr")).toEqual([]);
    });

    it("is not known if the message waits no more and nobody noted why", async () => {
      await harness.leave("kod 111111");
      expect(await last()).toMatchObject({ state: "waiting" });
      await harness.store.write((tx) => endWaiting(tx));
      expect(await last()).toMatchObject({ state: "unknown" });
    });

    it("[S142] is kept without text, code and number, and without a row for a decoy", async () => {
      await send(REFUSED);
      await harness.leaveDecoy("kod 222222");
      await harness.round(harness.smsSender());
      const rows = await harness.store.read.selectFrom("messages").selectAll().execute();
      expect(rows).toHaveLength(1);
      const events = await harness.store.read.selectFrom("audit_events").selectAll().execute();
      const kept = JSON.stringify([rows, events, harness.logged]);
      for (const secret of ["111111", "222222", "500100001", "kod"]) expect(kept).not.toContain(secret);
    });
  });

  it("[S142] a demo's messages are noted, too, and a decoy for a stranger belongs to no customer", async () => {
    const way = await openTestBackend({ kind });
    await new Browser(way).post("/home/api/user/nikt.taki/password-reset/init");
    await new Browser(way).post(`/home/api/user/${ANNA.username}/password-reset/init`);
    expect(await messagesTo(way, ANNA.phone)).toBe(1);
    const rows = await way.query("select purpose, state, gateway, customer_id from messages order by id");
    expect(rows).toEqual([
      { purpose: "password", state: "accepted", gateway: null, customer_id: null },
      { purpose: "password", state: "accepted", gateway: null, customer_id: expect.any(String) as string },
    ]);
    await way.close();
  });
});
