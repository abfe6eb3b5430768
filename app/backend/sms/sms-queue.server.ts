import { sql } from "kysely";
import type { Purpose } from "~/contract/purposes";
import { noteWritten } from "../message-states.server";
import { queueRows } from "../queue-rows.server";
import { orderedId, type Reader, type Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { type Keyring, open, type Cell, seal } from "../secrets/keyring.server";
import type { OutgoingSms } from "./gateway.server";

/** A text message: a code, or a notice. */
export interface SmsMessage {
  /**
   * In international form: `+48500100001`. Undefined in a decoy: a message that is queued and dropped, so that it takes as
   * long as one that is sent (S108).
   */
  readonly to: string | undefined;
  /** The customer that it goes to; undefined if `to` is. */
  readonly customerId: string | undefined;
  readonly text: string;
  /** The purpose of its code; `notice` if it has none. */
  readonly purpose: Purpose | "notice";
  /** The request that caused it. It links the delivery's log lines to that request. */
  readonly requestId: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
  /** When its code expires, or the notice becomes too old to send; then the message is dropped. */
  readonly endsAt: number;
}

/** Where services put outgoing text messages. */
export interface SmsQueue {
  /**
   * Queues a message in the transaction of its code or change: both are committed or neither. Doesn't wait for the
   * gateway.
   */
  put(tx: Tx, message: SmsMessage): Promise<void>;
}

/** A message in the demo's outbox, as testers see it. */
export interface OutboxMessage {
  readonly to: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly sentAt: string;
}

/** The outbox shows this many of the newest messages. */
const SHOWN = 500;

/** The demo's queue: messages only go into a table, encrypted because they contain codes and phone numbers. */
export function outboxQueue(keyring: Keyring): SmsQueue {
  return {
    async put(tx, { to, customerId, purpose, text, sentAt }) {
      const id = orderedId(sentAt);
      const row = {
        id,
        recipient_sealed: sealRecipient(keyring, outboxPlace(id, "recipient_sealed"), to),
        text_sealed: seal(keyring, outboxPlace(id, "text_sealed"), text),
        sent_at: sentAt,
      };
      await tx.insertInto("outbox").values(row).execute();
      await noteWritten(tx, { id, customerId, purpose, sentAt }, "accepted");
    },
  };
}

/** Reads the outbox, newest first, without decoys. */
export async function readOutbox(reader: Reader, keyring: Keyring): Promise<OutboxMessage[]> {
  const rows = await reader
    .selectFrom("outbox")
    .selectAll()
    .where("recipient_sealed", "<>", "")
    .orderBy("id", "desc")
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    to: open(keyring, outboxPlace(row.id, "recipient_sealed"), row.recipient_sealed),
    text: open(keyring, outboxPlace(row.id, "text_sealed"), row.text_sealed),
    sentAt: new Date(row.sent_at).toISOString(),
  }));
}

function outboxPlace(row: string, column: string) {
  return { table: "outbox", column, row };
}

/** A message that is waiting or being sent. */
export type QueueRow = Tables["sms_queue"];

/** A placeholder to encrypt when a message has no recipient. */
const NO_NUMBER = "+48000000000";

/**
 * Encrypts the recipient's number, which is personal data. Without a recipient it does the same work but returns an
 * empty string (S108).
 */
export function sealRecipient(keyring: Keyring, place: Cell, to: string | undefined): string {
  const sealed = seal(keyring, place, to ?? NO_NUMBER);
  return to === undefined ? "" : sealed;
}

/** Whether a queued message has no recipient, so that it is dropped. */
export function isDecoy({ recipient_sealed }: Pick<QueueRow, "recipient_sealed">): boolean {
  return recipient_sealed === "";
}

/** Queues a message, encrypted because it contains a phone number, and perhaps a code. */
export async function putRow(tx: Tx, keyring: Keyring, message: SmsMessage): Promise<void> {
  const id = orderedId(message.sentAt);
  const row = {
    id,
    recipient_sealed: sealRecipient(keyring, queuePlace(id, "recipient_sealed"), message.to),
    text_sealed: seal(keyring, queuePlace(id, "text_sealed"), message.text),
    purpose: message.purpose,
    request_id: message.requestId,
    tries: 0,
    due_at: message.sentAt,
    sent_at: message.sentAt,
    ends_at: message.endsAt,
  };
  await tx.insertInto("sms_queue").values(row).execute();
  await noteWritten(tx, { ...message, id }, "waiting");
}

/** Decrypts a row. @throws Error if the row was changed, or its key is no longer in the keyring */
export function openRow(keyring: Keyring, row: QueueRow): OutgoingSms {
  return {
    id: row.id,
    to: open(keyring, queuePlace(row.id, "recipient_sealed"), row.recipient_sealed),
    text: open(keyring, queuePlace(row.id, "text_sealed"), row.text_sealed),
    sentAt: row.sent_at,
    endsAt: row.ends_at,
  };
}

/** A message that is due. */
export type DueRow = Pick<QueueRow, "id" | "purpose">;

/**
 * Up to `most` messages that are due: codes first, then notices, each oldest first. Codes are read through their own
 * index: after an outage they must not wait while thousands of notices are sorted.
 */
export async function dueRows(reader: Reader, now: number, most: number): Promise<DueRow[]> {
  const codes = await due(reader, "<>", now, most);
  if (codes.length === most) return codes;
  const notices = await due(reader, "=", now, most - codes.length);
  return [...codes, ...notices];
}

function due(reader: Reader, which: "<>" | "=", now: number, most: number): Promise<DueRow[]> {
  return (
    reader
      .selectFrom("sms_queue")
      .select(["id", "purpose"])
      // A literal, as in the condition of the index.
      .where("purpose", which, sql.lit("notice" as const))
      .where("due_at", "<=", now)
      .where("ends_at", ">", now)
      .orderBy("due_at")
      .orderBy("id")
      .limit(most)
      .execute()
  );
}

/** The statements of the queue. */
export const smsRows = queueRows("sms_queue");

/** How many messages are queued, and when the oldest code was written (ms; undefined if there is none). */
export async function queueLength(
  reader: Reader,
): Promise<{ readonly messages: number; readonly oldest: number | undefined }> {
  const row = await reader
    .selectFrom("sms_queue")
    .select(({ fn }) => [
      fn.countAll().as("messages"),
      fn.min("sent_at").filterWhere("purpose", "<>", "notice").as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  const oldest = row.oldest as number | string | null;
  return { messages: Number(row.messages), oldest: oldest === null ? undefined : Number(oldest) };
}

function queuePlace(row: string, column: string) {
  return { table: "sms_queue", column, row };
}

const POLAND = "+48";
/** A Polish number of nine digits, except premium-rate and toll-free ones (70x, 80x). */
const POLISH = /^\+48(?![78]0)\d{9}$/;
/** E.164: at most 15 digits. */
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/** Polish mobile numbers, by the national numbering plan. */
const POLISH_MOBILE = /^\+48(45|5[0137]|6[069]|7[2389]|88)/;

/**
 * Whether messages are sent to a number, and why not. `landline`: they are, but few landlines can receive one.
 * `country`: its country is not in `SMS_PREFIXES`. `no-sms`: it is premium-rate, toll-free or no number.
 */
export type SmsReach = "mobile" | "landline" | "country" | "no-sms";

/** Says whether messages are sent to this number. `prefixes` lists the allowed countries, by default only Poland (S29). */
export function smsReach(phone: string, prefixes: readonly string[]): SmsReach {
  if (!INTERNATIONAL.test(phone)) return "no-sms";
  if (!phone.startsWith(POLAND))
    return prefixes.some((prefix) => phone.startsWith(prefix)) ? "mobile" : "country";
  if (!prefixes.includes(POLAND)) return "country";
  if (!POLISH.test(phone)) return "no-sms";
  return POLISH_MOBILE.test(phone) ? "mobile" : "landline";
}

/** Whether messages may be sent to this number. */
export function isReachable(phone: string, prefixes: readonly string[]): boolean {
  const reach = smsReach(phone, prefixes);
  return reach === "mobile" || reach === "landline";
}
