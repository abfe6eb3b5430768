import { orderedId } from "../store/tables.server";
import { type Keyring, open, seal } from "../secrets/keyring.server";
import type { Reader } from "../store/store.server";
import { sealRecipient } from "./queue-rows.server";
import type { SmsQueue } from "./sms-queue.server";

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
    async put(tx, { to, text, sentAt }) {
      const id = orderedId(sentAt);
      const row = {
        id,
        recipient_sealed: sealRecipient(keyring, place(id, "recipient_sealed"), to),
        text_sealed: seal(keyring, place(id, "text_sealed"), text),
        sent_at: sentAt,
      };
      await tx.insertInto("outbox").values(row).execute();
    },
  };
}

/** Reads the outbox, newest first, without messages to nobody. */
export async function readOutbox(reader: Reader, keyring: Keyring): Promise<OutboxMessage[]> {
  const rows = await reader
    .selectFrom("outbox")
    .selectAll()
    .where("recipient_sealed", "<>", "")
    .orderBy("id", "desc")
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    to: open(keyring, place(row.id, "recipient_sealed"), row.recipient_sealed),
    text: open(keyring, place(row.id, "text_sealed"), row.text_sealed),
    sentAt: new Date(row.sent_at).toISOString(),
  }));
}

function place(row: string, column: string) {
  return { table: "outbox", column, row };
}
