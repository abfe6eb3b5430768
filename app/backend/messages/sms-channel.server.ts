import type { Purpose } from "~/contract/purposes";
import type { Limits } from "~/platform/config/limits";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { type Keyring, open, seal } from "../secrets/keyring.server";
import { GATEWAYS, type GatewayName } from "../store/message-kinds.server";
import type { Tx } from "../store/store.server";
import { type Channel, limitsOf, type MessageQueue } from "./channel.server";
import { type Attempt, DELIVERY_RESULTS } from "./delivery.server";
import { GatewayPair } from "./fallback.server";
import type { OutgoingSms, SmsGateway } from "./gateway.server";
import { type Message, putWaiting, type Waiting } from "./message-rows.server";
import { MessageSender, type SenderDependencies } from "./sender.server";

/** A text message: a code, or a notice. */
export interface SmsMessage extends Message {
  /** In international form: `+48500100001`. Undefined in a decoy. */
  readonly to: string | undefined;
  readonly text: string;
  /** The purpose of its code; `notice` if it has none. */
  readonly purpose: Purpose | "notice";
}

/** The queue of outgoing text messages, as services see it. */
export type SmsQueue = MessageQueue<SmsMessage>;

/** Encrypted where a message has no recipient, so that it is the same work (S108). */
export const NO_NUMBER = "+48000000000";

/** Queues a message, encrypted because it contains a phone number, and perhaps a code. */
export function putSms(tx: Tx, keyring: Keyring, message: SmsMessage): Promise<void> {
  return putWaiting(tx, message, (id) => ({
    recipient_sealed: seal(keyring, cellOf(id, "recipient_sealed"), message.to ?? NO_NUMBER),
    text_sealed: seal(keyring, cellOf(id, "text_sealed"), message.text),
  }));
}

/** Decrypts a message. @throws Error if the row was changed, or its key is no longer in the keyring */
function openSms(keyring: Keyring, message: Waiting): OutgoingSms {
  const { id, written_at, ends_at } = message;
  return {
    id,
    to: openCell(keyring, message, "recipient_sealed"),
    text: openCell(keyring, message, "text_sealed"),
    sentAt: written_at,
    endsAt: ends_at,
  };
}

function openCell(keyring: Keyring, message: Waiting, column: "recipient_sealed" | "text_sealed"): string {
  return open(keyring, cellOf(message.id, column), message[column] ?? "");
}

function cellOf(row: string, column: string) {
  return { table: "messages", column, row };
}

interface SmsDependencies extends SenderDependencies {
  readonly keyring: Keyring;
  readonly limits: Limits;
  readonly gateway: SmsGateway;
  /** The second gateway, if there is one. */
  readonly fallback?: SmsGateway | undefined;
}

/** `retried` also counts an attempt whose message went on to the fallback. */
const deliveries = counter(
  { name: "portal_sms_deliveries_total", help: "Attempts to hand a message over, by gateway and result" },
  { gateway: GATEWAYS, result: DELIVERY_RESULTS },
);
const queueLevels = levels({
  waiting: { name: "portal_sms_queue_messages", help: "Messages waiting for the gateway" },
  oldestSeconds: {
    name: "portal_sms_queue_oldest_seconds",
    help: "Seconds the oldest code has waited; 0 if there is none. Notices don't count",
  },
});

const EVENTS = {
  accepted: "sms-accepted",
  refused: "sms-refused",
  postponed: "sms-postponed",
  unusable: "sms-gateway-unusable",
  givenUp: "sms-given-up",
  failed: "sms-queue-failed",
};

/** Sends queued text messages to the gateway, or to the fallback. */
export function smsSender(deps: SmsDependencies): MessageSender<SmsMessage> {
  return new MessageSender(deps, smsChannel(deps));
}

function smsChannel(deps: SmsDependencies): Channel<SmsMessage> {
  const { keyring, gateway, fallback } = deps;
  const gateways = new GatewayPair({
    ...deps,
    first: gateway,
    onPassedOn: ({ id }, attempt) => {
      reportPassedOn(deps, id, attempt);
    },
  });
  const limits = limitsOf(deps.limits, "SMS");
  return {
    name: "sms",
    // Notices get at most half of the workers (but at least one), so that codes find a free one.
    lines: [
      { line: "codes", most: limits.parallel },
      { line: "notice", most: Math.max(1, Math.floor(limits.parallel / 2)) },
    ],
    events: EVENTS,
    // One gateway after the other.
    limits: { ...limits, attemptMs: (fallback ? 2 : 1) * limits.attemptMs },
    levels: queueLevels,
    gateway: gateway.name,
    put: (tx, message) => putSms(tx, keyring, message),
    async send(message, signal) {
      try {
        return await gateways.send(openSms(keyring, message), signal);
      } catch {
        const reason = "the message cannot be decrypted";
        return { gateway: gateway.name, delivery: { kind: "later", reason, alarm: true } };
      }
    },
    count(by, result) {
      if (by !== "smtp") deliveries.inc({ gateway: by, result });
    },
    facts: ({ id, purpose, request_id, tries }, by) => ({
      sms: id,
      requestId: request_id,
      purpose,
      tries,
      gateway: by,
    }),
  };
}

/** Reports that a gateway did not take a message and the other one gets it. */
function reportPassedOn(
  { log }: SenderDependencies,
  id: string,
  { gateway, delivery }: Attempt<GatewayName>,
): void {
  if (delivery.kind === "accepted") return;
  const facts = { sms: id, gateway, reason: delivery.reason };
  deliveries.inc({ gateway, result: "retried" });
  if (delivery.kind === "later" && delivery.alarm)
    log.error({ event: "sms-gateway-unusable", ...facts }, "sms");
  else log.warn({ event: "sms-passed-on", ...facts }, "sms");
}
