import type { Store, Tx } from "../store/store.server";
import type { Content } from "./message-rows.server";

// For the release before, whose portals may run beside: it has a queue for text messages and one for e-mails, and sends
// its own from there. What is due there, and claimed by no portal, is moved here, and sent under the same id. A message
// is in one of the queues at a time: @for-release 2026-11-27-3518647619b2.

type OpenStore = Pick<Store, "read" | "write">;

/** Moves the text messages that are due. They stay sealed as they are. */
export function takeOverSms(store: OpenStore, now: number): Promise<void> {
  return moveDue(store, "sms_queue", now, async (tx, id) => {
    const row = await tx
      .deleteFrom("sms_queue")
      .where("id", "=", id)
      .where("due_at", "<=", now)
      .returningAll()
      .executeTakeFirst();
    if (row) await move(tx, row, { recipient_sealed: row.recipient_sealed, text_sealed: row.text_sealed });
  });
}

/** Moves the e-mails that are due. */
export function takeOverMails(store: OpenStore, now: number): Promise<void> {
  return moveDue(store, "mail_queue", now, async (tx, id) => {
    const row = await tx
      .deleteFrom("mail_queue")
      .where("id", "=", id)
      .where("due_at", "<=", now)
      .returningAll()
      .executeTakeFirst();
    if (row) await move(tx, row, { event: row.event });
  });
}

/** One by one: a portal of the release before may claim each until it is moved. */
async function moveDue(
  store: OpenStore,
  table: "sms_queue" | "mail_queue",
  now: number,
  moveOne: (tx: Tx, id: string) => Promise<void>,
): Promise<void> {
  const due = await store.read
    .selectFrom(table)
    .select("id")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .execute();
  for (const { id } of due) await store.write((tx) => moveOne(tx, id));
}

interface Queued {
  readonly id: string;
  readonly request_id: string;
  readonly tries: number;
  readonly due_at: number;
  readonly ends_at: number;
}

/** The release before has written the row of `messages`, too. It is gone if the person was erased. */
async function move(
  tx: Tx,
  { id, request_id, tries, due_at, ends_at }: Queued,
  content: Content,
): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ ...content, request_id, tries, due_at, ends_at })
    .where("id", "=", id)
    .execute();
}
