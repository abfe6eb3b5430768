import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailNotice, mailSender, putMail } from "~/backend/messages/mail-channel.server";
import { queueLength } from "~/backend/messages/message-rows.server";
import type { MessageSender } from "~/backend/messages/sender.server";
import { seal } from "~/backend/secrets/keyring.server";
import type { Delivery } from "~/backend/messages/delivery.server";
import { defaultLimits, type Limits } from "~/platform/config/limits";
import { makeLog } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { onAnyDatabase } from "../../../../database";
import { ACCEPTED, SmsSenderHarness, turnsUntil } from "../sms-sender-harness";
import { ANNAS_ADDRESS, MAILS, TestMailServer, untilAborted } from "./mail-steps";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const GREYLISTED: Delivery = { kind: "later", reason: "status 451", alarm: false };

onAnyDatabase((kind) => {
  describe("[S149] senders of e-mails", () => {
    let harness: SmsSenderHarness;
    let server: TestMailServer;
    const senders: MessageSender<MailNotice>[] = [];
    beforeEach(async () => {
      harness = await SmsSenderHarness.open(kind);
      server = new TestMailServer();
      await harness.store.write((tx) =>
        tx
          .insertInto("customers")
          .values({
            id: "anna",
            kind: "individual",
            name_sealed: "",
            phone_sealed: "",
            pid_sealed: "",
            pid_index: "anna",
            pid_compared_index: "anna",
            email_sealed: seal(
              harness.keyring,
              { table: "customers", column: "email_sealed", row: "anna" },
              ANNAS_ADDRESS,
            ),
          })
          .execute(),
      );
    });
    afterEach(async () => {
      for (const sender of senders.splice(0)) await sender.close();
      await harness.close();
    });

    async function sender(own: Partial<Limits> = {}): Promise<MessageSender<MailNotice>> {
      const made = mailSender({
        server,
        texts: MAILS,
        store: senders.length === 0 ? harness.store : await harness.connect(),
        keyring: harness.keyring,
        clock: () => harness.now,
        limits: { ...defaultLimits("production"), MAIL_STOP_MS: 1, ...own },
        log: makeLog("debug", { write: (line: string) => harness.logged.push(line) }),
      });
      senders.push(made);
      return made;
    }
    const round = (one: MessageSender<MailNotice>) => harness.round(one);
    /** Queues an e-mail without waking a sender, as another process would. */
    const leave = (customerId: string | null = "anna") =>
      harness.store.write((tx) =>
        putMail(tx, {
          customerId: customerId ?? undefined,
          event: "password-changed",
          requestId: "req-1",
          sentAt: harness.now,
          endsAt: harness.now + 24 * HOUR,
        }),
      );
    const waiting = async () => (await queueLength(harness.store.read, "mail")).waiting;
    const noted = () =>
      harness.store.read.selectFrom("messages").select(["state", "reason", "gateway"]).execute();

    it("send each e-mail once, however many there are", async () => {
      for (let nth = 0; nth < 20; nth += 1) await leave();
      const two = [await sender(), await sender()];
      await Promise.all(two.map(round));
      expect(server.offered).toHaveLength(20);
      expect(new Set(server.offered.map(({ id }) => id)).size).toBe(20);
      expect(await waiting()).toBe(0);
      expect(new Set((await noted()).map(({ state, gateway }) => `${state} ${gateway ?? ""}`))).toEqual(
        new Set(["accepted smtp"]),
      );
    });

    it("offer one again after 1, 2, 4 … minutes, at most an hour, and give it up after a day", async () => {
      server.does = () => Promise.resolve(GREYLISTED);
      await leave();
      const one = await sender();
      const waits = [1, 2, 4, 8, 16, 32, ...Array.from({ length: 22 }, () => 60)];
      for (const [nth, minutes] of waits.entries()) {
        await round(one);
        harness.now += minutes * MINUTE - SECOND;
        await round(one);
        expect(server.offered).toHaveLength(nth + 1);
        harness.now += SECOND;
      }
      harness.now += HOUR;
      await round(one);
      expect(new Set(server.offered.map(({ id }) => id)).size).toBe(1);
      expect(await waiting()).toBe(0);
      expect(await noted()).toEqual([{ state: "given-up", reason: "status 451", gateway: "smtp" }]);
      expect(harness.logged.join("")).toContain('"event":"mail-given-up"');
      expect(harness.logged.join("")).not.toMatch(/kanarek|Zmieniono/i);
    });

    it("accept one later that was greylisted", async () => {
      server.does = () => Promise.resolve(GREYLISTED);
      await leave();
      const one = await sender();
      await round(one);
      expect(await noted()).toEqual([{ state: "waiting", reason: "status 451", gateway: "smtp" }]);
      server.does = () => Promise.resolve(ACCEPTED);
      harness.now += MINUTE;
      await round(one);
      expect(await noted()).toEqual([{ state: "accepted", reason: null, gateway: "smtp" }]);
    });

    it("[S103] take over from one that was killed while it sent, and not before its time is over", async () => {
      await leave();
      const killed = await sender();
      server.does = untilAborted;
      await killed.checkQueue();
      await turnsUntil(() => server.offered.length === 1);
      server.does = () => Promise.resolve(ACCEPTED);
      const successor = await sender();
      await round(successor);
      expect(server.offered).toHaveLength(1);
      harness.now += 90 * SECOND;
      await round(successor);
      expect(server.offered.map(({ id }) => id)).toEqual([server.offered[0]?.id, server.offered[0]?.id]);
      expect(await waiting()).toBe(0);
    });

    it("[S150] stop soon although the server never answers, and leave the e-mail to the next", async () => {
      await leave();
      server.does = untilAborted;
      const one = await sender();
      await one.checkQueue();
      await turnsUntil(() => server.offered.length === 1);
      await one.close();
      expect(await waiting()).toBe(1);
    });

    it("tell the audit of a refusal for good", async () => {
      server.does = () => Promise.resolve({ kind: "refused", reason: "status 550" });
      await leave();
      await round(await sender());
      expect(await waiting()).toBe(0);
      expect(await noted()).toEqual([{ state: "refused", reason: "status 550", gateway: "smtp" }]);
      const events = await harness.store.read.selectFrom("audit_events").selectAll().execute();
      expect(events).toMatchObject([
        { event: "message-refused", subject: "anna", purpose: null, reason: "e-mail: status 550" },
      ]);
    });

    it("drop decoys, and those to people who were erased or have no address any more", async () => {
      await leave(null);
      await leave("nobody");
      await round(await sender());
      expect(server.offered).toEqual([]);
      expect([await waiting(), await noted()]).toEqual([0, []]);
    });

    it("use the address that the customer has when the e-mail is sent", async () => {
      await leave();
      const address = "anna.nowa@example.pl";
      const cell = { table: "customers", column: "email_sealed", row: "anna" };
      await harness.store.write((tx) =>
        tx
          .updateTable("customers")
          .set({ email_sealed: seal(harness.keyring, cell, address) })
          .execute(),
      );
      await round(await sender());
      expect(server.offered.map(({ to }) => to)).toEqual([address]);
    });

    it("say in the metrics how many wait, since when, and what became of them", async () => {
      await leave();
      harness.now += 4 * MINUTE;
      const one = await sender({ MAIL_POLL_MS: 2_000_000_000 });
      server.does = untilAborted;
      one.start();
      await turnsUntil(() => server.offered.length === 1);
      const text = await metricsText();
      expect(text).toContain("portal_mail_queue_mails 1\n");
      expect(text).toContain("portal_mail_queue_oldest_seconds 240\n");
      expect(text).toMatch(/portal_mail_deliveries_total\{result="given-up"\} \d/);
    });
  });
});
