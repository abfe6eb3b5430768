import { noteWritten } from "../message-states.server";
import { queueRows } from "../queue-rows.server";
import type { NoticeEvent } from "../services/notices/notice-events.server";
import { orderedId, type Reader, type Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";

/** An e-mail about an event. Its text and its address are looked up when it is sent. */
export interface MailNotice {
  /** Undefined in a decoy: an e-mail that is queued and dropped, so that it takes as long as one that is sent (S108). */
  readonly customerId: string | undefined;
  readonly event: NoticeEvent;
  /** The request that caused it. */
  readonly requestId: string;
  /** When it happened, in ms. */
  readonly sentAt: number;
  /** When the e-mail becomes too old to send and is dropped. */
  readonly endsAt: number;
}

/** Where services put outgoing e-mails. */
export interface MailQueue {
  /** Queues an e-mail in the transaction of its event. Doesn't wait for the mail server. */
  put(tx: Tx, notice: MailNotice): Promise<void>;
}

/** An e-mail that is waiting or being sent. */
export type MailRow = Tables["mail_queue"];

/** The statements of the queue. */
export const mailRows = queueRows("mail_queue");

/** Queues an e-mail. */
export async function putMail(tx: Tx, notice: MailNotice): Promise<void> {
  const { customerId, event, requestId, sentAt, endsAt } = notice;
  const id = orderedId(sentAt);
  const row = {
    id,
    customer_id: customerId ?? null,
    event,
    request_id: requestId,
    tries: 0,
    due_at: sentAt,
    sent_at: sentAt,
    ends_at: endsAt,
  };
  await tx.insertInto("mail_queue").values(row).execute();
  await noteWritten(tx, { id, customerId, purpose: "mail-notice", sentAt }, "waiting");
}

/** Up to `most` e-mails that are due, the oldest first. */
export function dueMails(
  reader: Reader,
  now: number,
  most: number,
): Promise<readonly { readonly id: string }[]> {
  return reader
    .selectFrom("mail_queue")
    .select("id")
    .where("due_at", "<=", now)
    .where("ends_at", ">", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** How many e-mails are queued, and when the oldest was written (ms; undefined if there is none). */
export async function mailQueueLength(
  reader: Reader,
): Promise<{ readonly mails: number; readonly oldest: number | undefined }> {
  const row = await reader
    .selectFrom("mail_queue")
    .select(({ fn }) => [fn.countAll().as("mails"), fn.min("sent_at").as("oldest")])
    .executeTakeFirstOrThrow();
  const oldest = row.oldest as number | string | null;
  return { mails: Number(row.mails), oldest: oldest === null ? undefined : Number(oldest) };
}
