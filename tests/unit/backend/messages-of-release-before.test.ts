import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mailSender } from "~/backend/messages/mail-channel.server";
import { takeOverMails, takeOverSms } from "~/backend/messages/queues-before.server";
import { smsSender } from "~/backend/messages/sms-channel.server";
import { makeKeyring, seal } from "~/backend/secrets/keyring.server";
import { orderedId, type Store } from "~/backend/store/store.server";
import { lastMessages } from "~/operators/support/last-messages.server";
import { defaultLimits } from "~/platform/config/limits";
import { makeLog } from "~/platform/telemetry/log.server";
import { onEachDatabase } from "../../database";
import { ANNAS_ADDRESS, MAILS, TestMailServer } from "./mail/mail-steps";
import { makeTablesBefore } from "./release-before";
import { TestGateway } from "./sms-sender-harness";
import { NOON } from "./test-backend";
import { barePlace, migratePlace, openStoreAt, openStoreBeside, type Place } from "./test-place";

const MINUTE = 60_000;
const PHONE = "+48500100001";

onEachDatabase((kind) => {
  describe("[S32, S117] messages that the release before has queued", () => {
    const keyring = makeKeyring([{ version: 1, key: randomBytes(32) }]);
    let place: Place;
    let store: Store;
    let now: number;
    let gateway: TestGateway;
    let server: TestMailServer;
    let logged: string[];
    const stores: Store[] = [];

    beforeEach(async () => {
      [now, gateway, server, logged] = [NOON, new TestGateway(), new TestMailServer(), []];
      place = await barePlace(kind);
      await makeTablesBefore(place);
      await insert("customers", {
        ...{
          id: "anna",
          kind: "individual",
          name_sealed: "",
          phone_sealed: "",
          pid_sealed: "",
          pid_index: "anna",
          pid_compared_index: "anna",
        },
        email_sealed: seal(
          keyring,
          { table: "customers", column: "email_sealed", row: "anna" },
          ANNAS_ADDRESS,
        ),
      });
    });
    afterEach(async () => {
      for (const one of stores.splice(0)) await one.close();
      await place.on?.drop();
    });

    /** Migrates and starts two portals' senders, which look for messages when they are told to. */
    async function upgrade() {
      await migratePlace(place);
      store = await openStoreAt(place);
      stores.push(store, await openStoreBeside(place));
      return stores.flatMap((each) => {
        const deps = {
          ...{ store: each, keyring, clock: () => now, limits: defaultLimits("production") },
          log: makeLog("debug", { write: (line: string) => logged.push(line) }),
        };
        return [smsSender({ ...deps, gateway }), mailSender({ ...deps, server, texts: MAILS })];
      });
    }
    async function round(senders: Awaited<ReturnType<typeof upgrade>>) {
      await Promise.all(senders.map((sender) => sender.checkQueue()));
      await Promise.all(senders.map((sender) => sender.idle()));
    }
    async function insert(table: string, row: Readonly<Record<string, unknown>>) {
      const names = Object.keys(row);
      const values = names.map(() => "?").join(", ");
      await place.query(
        `insert into ${table} (${names.join(", ")}) values (${values})`,
        ...Object.values(row),
      );
    }

    const QUEUED = {
      request_id: "req-1",
      tries: 2,
      due_at: NOON,
      sent_at: NOON,
      ends_at: NOON + 10 * MINUTE,
    };
    type Queued = Partial<typeof QUEUED>;
    const noted = (id: string, customer_id: string | null, purpose: string) =>
      insert("messages", {
        ...{ id, customer_id, purpose, state: "waiting", written_at: NOON, changed_at: NOON },
      });

    /** Queues a code as the release before does; a decoy, if it has no text. */
    async function code(text: string | undefined, own: Queued = {}): Promise<string> {
      const id = orderedId(NOON);
      const cell = (column: string) => ({ table: "sms_queue", column, row: id });
      await insert("sms_queue", {
        ...{ id, purpose: "login", ...QUEUED, ...own },
        recipient_sealed: text === undefined ? "" : seal(keyring, cell("recipient_sealed"), PHONE),
        text_sealed: seal(keyring, cell("text_sealed"), text ?? "kod"),
      });
      await noted(id, text === undefined ? null : "anna", "login");
      return id;
    }
    /** The same with an e-mail. */
    async function mail(own: Queued = {}): Promise<string> {
      const id = orderedId(NOON);
      await insert("mail_queue", { id, customer_id: "anna", event: "password-changed", ...QUEUED, ...own });
      await noted(id, "anna", "mail-notice");
      return id;
    }
    /** Claims a message as a portal of the release before does. Returns whether it has got it. */
    async function claimedBefore(table: string, id: string): Promise<boolean> {
      const claimed = await place.query(
        `update ${table} set tries = tries + 1, due_at = ? where id = ? and due_at <= ? and ends_at > ? returning *`,
        ...[now + 15_000, id, now, now],
      );
      return claimed.length > 0;
    }
    const left = async (table: string) => (await place.query(`select id from ${table}`)).length;

    it("are sent, once and under their ids; decoys are dropped, and what is too old is given up", async () => {
      const [id, mailId] = [await code("kod 111111"), await mail()];
      await code(undefined);
      const late = await code("kod 222222", { ends_at: NOON });
      await round(await upgrade());
      expect(gateway.offered).toEqual([
        { id, to: PHONE, text: "kod 111111", sentAt: NOON, endsAt: NOON + 10 * MINUTE },
      ]);
      expect(server.offered.map((one) => [one.id, one.to])).toEqual([[mailId, ANNAS_ADDRESS]]);
      expect([await left("sms_queue"), await left("mail_queue")]).toEqual([0, 0]);
      const rows = await store.read.selectFrom("messages").selectAll().execute();
      expect(rows.map((row) => [row.id, row.state, row.text_sealed, row.due_at]).toSorted()).toEqual(
        [
          [id, "accepted", null, null],
          [mailId, "accepted", null, null],
          [late, "given-up", null, null],
        ].toSorted(),
      );
      expect(logged.join("")).toContain('"tries":2');
      expect(logged.filter((line) => line.includes('"event":"sms-given-up"'))).toHaveLength(1);
    });

    it("stay with its portal while that sends them, and are taken over under the same id if it was killed", async () => {
      const claimed = { due_at: NOON + 15_000 };
      const [id, mailId] = [await code("kod 111111", claimed), await mail(claimed)];
      const senders = await upgrade();
      await round(senders);
      expect([gateway.offered, server.offered]).toEqual([[], []]);
      expect(await lastMessages(store.read, "anna")).toMatchObject([
        { state: "waiting" },
        { state: "waiting" },
      ]);
      now += 15_000;
      await round(senders);
      expect([gateway.offered.map((one) => one.id), server.offered.map((one) => one.id)]).toEqual([
        [id],
        [mailId],
      ]);
    });

    it("stay with its portal if that claims them just before they are taken over", async () => {
      await upgrade();
      const [id, mailId] = [await code("kod 111111"), await mail()];
      const overtakenBy = (table: string, claimed: string): Pick<Store, "read" | "write"> => ({
        read: store.read,
        async write(work) {
          expect(await claimedBefore(table, claimed)).toBe(true);
          return store.write(work);
        },
      });
      await takeOverSms(overtakenBy("sms_queue", id), now);
      await takeOverMails(overtakenBy("mail_queue", mailId), now);
      expect([await left("sms_queue"), await left("mail_queue")]).toEqual([1, 1]);
    });

    it("are sent by one portal each, by its own or by a later one beside", async () => {
      const senders = await upgrade();
      const ids: string[] = [];
      for (let nth = 0; nth < 20; nth += 1) ids.push(await code(`kod ${nth}`));
      const [, ...claims] = await Promise.all([
        round(senders),
        ...ids.toReversed().map(async (id) => ({ id, isOwn: await claimedBefore("sms_queue", id) })),
      ]);
      const own = claims.filter(({ isOwn }) => isOwn).map(({ id }) => id);
      expect([...own, ...gateway.offered.map(({ id }) => id)].toSorted()).toEqual(ids.toSorted());
    });
  });
});
