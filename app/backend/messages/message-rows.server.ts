import { sql } from "kysely";
import { audit } from "../audit/audit-event.server";
import type { MessageGateway, MessagePurpose } from "../store/message-kinds.server";
import { orderedId, type Reader, type Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { Attempt } from "./delivery.server";

// Each text message and e-mail has one row. While it waits, `due_at` is set, and the row holds the content. Then the row
// holds the outcome, without text, number and address (S142).

type Row = Tables["messages"];

/** A text message or an e-mail, without its channel's fields. */
export interface Message {
  /**
   * The customer that it goes to. Undefined in a decoy: a message that is queued and dropped, so that it takes as long as a
   * real message (S108).
   */
  readonly customerId: string | undefined;
  readonly purpose: MessagePurpose;
  /** The request that caused it. It links the delivery's log lines to that request. */
  readonly requestId: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
  /** When it becomes too old to send, or its code expires; then it is dropped. */
  readonly endsAt: number;
}

/** The part of a row that a channel writes: the content, or the data that it is made from. */
export type Content = Partial<Pick<Row, "recipient_sealed" | "text_sealed" | "event">>;

/** Queues a message. `contentOf` gets its id. */
export async function putWaiting(
  tx: Tx,
  message: Message,
  contentOf: (id: string) => Content,
): Promise<void> {
  const id = orderedId(message.sentAt);
  const { requestId, sentAt, endsAt } = message;
  const queued = { request_id: requestId, tries: 0, due_at: sentAt, ends_at: endsAt };
  const row = { ...ofMessage(id, message), ...queued, ...contentOf(id), state: "waiting" as const };
  await tx.insertInto("messages").values(row).execute();
}

/** Notes a message of the demo's outbox, which is accepted at once. */
export async function noteShown(tx: Tx, id: string, message: Message): Promise<void> {
  const row = { ...ofMessage(id, message), state: "accepted" as const };
  await tx.insertInto("messages").values(row).execute();
}

function ofMessage(id: string, { customerId, purpose, sentAt }: Message) {
  return { id, customer_id: customerId ?? null, purpose, written_at: sentAt, changed_at: sentAt };
}

/** A message that waits or is being sent. */
export interface Waiting extends Pick<Row, (typeof COLUMNS)[number]> {
  readonly request_id: string;
  /** Attempts so far, with the one under way. */
  readonly tries: number;
  readonly ends_at: number;
}

const COLUMNS = [
  "id",
  "customer_id",
  "purpose",
  "recipient_sealed",
  "text_sealed",
  "event",
  "request_id",
  "tries",
  "written_at",
  "ends_at",
] as const;

/** Whether a message has no recipient, so that it is dropped. */
export function isDecoy({ customer_id }: Pick<Row, "customer_id">): boolean {
  return customer_id === null;
}

/** Messages that are sent in turn, the oldest first: codes, notices by SMS, or notices by e-mail. */
export type Line = "codes" | "notice" | "mail-notice";

/** The line that a message waits in. */
export function lineOf({ purpose }: Pick<Row, "purpose">): Line {
  return purpose === "notice" || purpose === "mail-notice" ? purpose : "codes";
}

/** A message that is due. */
export type Due = Pick<Row, "id" | "purpose">;

/** Up to `most` messages of these lines that are due, line after line. */
export async function dueMessages(
  reader: Reader,
  lines: readonly Line[],
  now: number,
  most: number,
): Promise<readonly Due[]> {
  const found: Due[] = [];
  for (const line of lines)
    if (found.length < most) found.push(...(await dueIn(reader, line, now, most - found.length)));
  return found;
}

/** Codes have an index of their own: after an outage they must not wait while thousands of notices are sorted. */
function dueIn(reader: Reader, line: Line, now: number, most: number): Promise<Due[]> {
  const due = reader
    .selectFrom("messages")
    .select(["id", "purpose"])
    .where("due_at", "<=", now)
    .where("ends_at", ">", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(most);
  if (line !== "codes") return due.where("purpose", "=", line).execute();
  // Literals, as in the condition of the index.
  return due
    .where("purpose", "<>", sql.lit("notice" as const))
    .where("purpose", "<>", sql.lit("mail-notice" as const))
    .execute();
}

/**
 * Claims a message for one attempt: no other process gets it before `claimedUntil`. A single statement compares and
 * updates, so only one process wins. If that process is killed, the message simply becomes due again.
 */
export function claimMessage(
  tx: Tx,
  id: string,
  now: number,
  claimedUntil: number,
): Promise<Waiting | undefined> {
  return tx
    .updateTable("messages")
    .set({ tries: sql<number>`tries + 1`, due_at: claimedUntil })
    .where("id", "=", id)
    .where("due_at", "<=", now)
    .where("ends_at", ">", now)
    .returning(COLUMNS)
    .$narrowType<Waiting>()
    .executeTakeFirst();
}

/** A message that no longer waits keeps nothing of its content. */
const EMPTIED = {
  recipient_sealed: null,
  text_sealed: null,
  event: null,
  request_id: null,
  tries: null,
  due_at: null,
  ends_at: null,
} as const;

/** Schedules another attempt, unless another process has claimed the message meanwhile. */
export async function postponeMessage(
  tx: Tx,
  { id, tries }: Waiting,
  { gateway, reason, dueAt }: { gateway: MessageGateway; reason: string; dueAt: number },
): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ due_at: dueAt, reason, gateway })
    .where("id", "=", id)
    .where("tries", "=", tries)
    .execute();
}

/** Notes that the gateway has accepted a message, or refused it for good. The audit has a refusal, too. */
export async function endMessage(
  tx: Tx,
  message: Waiting,
  { gateway, delivery }: Attempt,
  now: number,
): Promise<void> {
  if (delivery.kind === "later") return;
  const outcome =
    delivery.kind === "accepted"
      ? { reason: null, gateway_id: delivery.id ?? null }
      : { reason: delivery.reason, gateway_id: null };
  const ended = await tx
    .updateTable("messages")
    .set({ ...EMPTIED, ...outcome, state: delivery.kind, gateway, changed_at: now })
    .where("id", "=", message.id)
    .returning("id")
    .executeTakeFirst();
  if (ended && delivery.kind === "refused") await auditRefused(tx, message, delivery.reason, now);
}

async function auditRefused(tx: Tx, message: Waiting, reason: string, now: number): Promise<void> {
  const { customer_id, purpose, request_id } = message;
  if (customer_id === null) return;
  const account = await tx
    .selectFrom("accounts")
    .select("id")
    .where("customer_id", "=", customer_id)
    .executeTakeFirst();
  const source = { address: "", requestId: request_id, deviceName: "", audited: [] };
  await audit(tx, source, now, {
    event: "message-refused",
    ...(account ? { accountId: account.id } : { subject: customer_id }),
    ...(purpose !== "notice" && purpose !== "mail-notice" && { purpose }),
    reason: purpose === "mail-notice" ? `e-mail: ${reason}` : reason,
  });
}

/** Forgets a decoy, or a message without a recipient. */
export async function forgetMessage(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("messages").where("id", "=", id).execute();
}

/** So many at once; the rest follows when the queue is checked next. */
const GIVEN_UP_AT_ONCE = 1000;

/** Gives up a channel's messages that are too old to send, except those being sent, and forgets such decoys. */
export async function giveUpMessages(tx: Tx, channel: ChannelName, now: number): Promise<readonly Waiting[]> {
  const late = await tx
    .selectFrom("messages")
    .select(COLUMNS)
    .where("purpose", ...ofChannel(channel))
    .where("due_at", "<=", now)
    .where("ends_at", "<=", now)
    .limit(GIVEN_UP_AT_ONCE)
    .$narrowType<Waiting>()
    .execute();
  if (late.length === 0) return [];
  const ids = late.map(({ id }) => id);
  await tx
    .deleteFrom("messages")
    .where("id", "in", ids)
    .where("due_at", "<=", now)
    .where("customer_id", "is", null)
    .execute();
  const given = await tx
    .updateTable("messages")
    .set({ ...EMPTIED, state: "given-up", changed_at: now })
    .where("id", "in", ids)
    .where("due_at", "<=", now)
    .returning("id")
    .execute();
  // Another process may have been faster.
  const own = new Set(given.map(({ id }) => id));
  return late.filter(({ id }) => own.has(id));
}

/** Drops all waiting messages, as after a restore: never sent, outcome unknown. Returns how many. */
export async function endWaiting(tx: Tx): Promise<number> {
  const waiting = tx.updateTable("messages").set(EMPTIED).where("due_at", "is not", null);
  const { numUpdatedRows } = await waiting.executeTakeFirst();
  return Number(numUpdatedRows);
}

/** How many messages of a channel wait, decoys included, and when the oldest was written that is no SMS notice (ms). */
export async function queueLength(
  reader: Reader,
  channel: ChannelName,
): Promise<{ readonly waiting: number; readonly oldest: number | undefined }> {
  const row = await reader
    .selectFrom("messages")
    .select(({ fn }) => [
      fn.countAll().as("waiting"),
      fn.min("written_at").filterWhere("purpose", "<>", "notice").as("oldest"),
    ])
    .where("due_at", "is not", null)
    .where("purpose", ...ofChannel(channel))
    .executeTakeFirstOrThrow();
  const oldest = row.oldest as number | string | null;
  return { waiting: Number(row.waiting), oldest: oldest === null ? undefined : Number(oldest) };
}

/** A channel of messages. */
export type ChannelName = "sms" | "mail";

function ofChannel(channel: ChannelName) {
  return [channel === "mail" ? "=" : "<>", "mail-notice"] as const;
}
