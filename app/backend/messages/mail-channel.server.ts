import { detailOf } from "~/contract/customer-area.server";
import type { MailTexts, NoticeEvent, NoticeFacts } from "~/contract/notices";
import type { Limits } from "~/platform/config/limits";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { MINUTE } from "~/platform/time.server";
import { type Keyring, open } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import { type Channel, limitsOf, type MessageQueue } from "./channel.server";
import { type Delivery, DELIVERY_RESULTS } from "./delivery.server";
import { type Message, putWaiting, type Waiting } from "./message-rows.server";
import { MessageSender, type SenderDependencies } from "./sender.server";
import type { MailServer } from "./smtp.server";

/** An e-mail about an event. Its text and its address are looked up when it is sent. */
export interface MailNotice extends Omit<Message, "purpose"> {
  readonly event: NoticeEvent;
}

/** The queue of outgoing e-mails, as services see it. */
export type MailQueue = MessageQueue<MailNotice>;

/** Queues an e-mail. */
export function putMail(tx: Tx, { event, ...notice }: MailNotice): Promise<void> {
  return putWaiting(tx, { ...notice, purpose: "mail-notice" }, () => ({ event }));
}

/** The server that e-mails go to, and their texts. */
export interface Mailing {
  readonly server: MailServer;
  readonly texts: MailTexts;
}

interface MailDependencies extends SenderDependencies, Mailing {
  readonly keyring: Keyring;
  readonly limits: Limits;
}

const deliveries = counter(
  { name: "portal_mail_deliveries_total", help: "Attempts to hand an e-mail over, by result" },
  { result: DELIVERY_RESULTS },
);
const queueLevels = levels({
  waiting: { name: "portal_mail_queue_mails", help: "E-mails waiting for the mail server" },
  oldestSeconds: {
    name: "portal_mail_queue_oldest_seconds",
    help: "Seconds the oldest e-mail has waited; 0 if there is none",
  },
});

const EVENTS = {
  accepted: "mail-accepted",
  refused: "mail-refused",
  postponed: "mail-postponed",
  unusable: "mail-server-unusable",
  givenUp: "mail-given-up",
  failed: "mail-queue-failed",
};

/** Sends queued e-mails to the mail server. An e-mail that is sent again has the same Message-ID. */
export function mailSender(deps: MailDependencies): MessageSender<MailNotice> {
  return new MessageSender(deps, mailChannel(deps));
}

function mailChannel({ store, keyring, server, texts, ...deps }: MailDependencies): Channel<MailNotice> {
  // Greylisting takes some minutes, so the backoff is longer than for text messages.
  const limits = limitsOf(deps.limits, "MAIL");
  return {
    name: "mail",
    lines: [{ line: "mail-notice", most: limits.parallel }],
    events: EVENTS,
    limits,
    levels: queueLevels,
    gateway: "smtp",
    put: putMail,
    async send(message, signal) {
      const to = await addressOf(store.read, keyring, message);
      if (to === undefined || message.event === null) return undefined;
      if (typeof to !== "string") return { gateway: "smtp", delivery: to };
      const { id, event, written_at } = message;
      const facts = { at: written_at, ...(await factsOf(store.read, message)) };
      const mail = { ...texts[event](facts), id, to, sentAt: written_at };
      return { gateway: "smtp", delivery: await server.send(mail, signal) };
    },
    count: (_gateway, result) => {
      deliveries.inc({ result });
    },
    facts: ({ id, request_id, tries }) => ({ mail: id, requestId: request_id, tries }),
  };
}

/** The customer's present address; undefined if there is none, and a delivery if it can't be decrypted. */
async function addressOf(
  reader: Reader,
  keyring: Keyring,
  { customer_id }: Waiting,
): Promise<string | Delivery | undefined> {
  const row = await reader
    .selectFrom("customers")
    .select(["id", "email_sealed"])
    .where("id", "=", customer_id)
    .executeTakeFirst();
  if (!row || row.email_sealed === null) return undefined;
  try {
    return open(keyring, { table: "customers", column: "email_sealed", row: row.id }, row.email_sealed);
  } catch {
    return { kind: "later", reason: "the address cannot be decrypted", alarm: true };
  }
}

/** Events whose e-mail names the device, the factor or the setting. */
const DETAILED_EVENTS: readonly NoticeEvent[] = ["device-trusted", "factor-added", "sms-at-sign-in"];

/** The audit's details of an event that a customer can't judge without them. */
async function factsOf(
  reader: Reader,
  { customer_id, event, request_id, written_at }: Waiting,
): Promise<Omit<NoticeFacts, "at">> {
  if (event === null || !DETAILED_EVENTS.includes(event)) return {};
  const row = await reader
    .selectFrom("audit_events")
    .innerJoin("accounts", "accounts.id", "audit_events.account_id")
    .select(["audit_events.device_name", "audit_events.reason"])
    .where("accounts.customer_id", "=", customer_id)
    .where("audit_events.event", "=", event)
    .where("audit_events.request_id", "=", request_id)
    // Written in one transaction, with two looks at the clock.
    .where("audit_events.happened_at", ">=", written_at - MINUTE)
    .where("audit_events.happened_at", "<=", written_at + MINUTE)
    .orderBy("audit_events.happened_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return {};
  return event === "device-trusted"
    ? { deviceName: row.device_name }
    : { detail: detailOf(event, row.reason) };
}
