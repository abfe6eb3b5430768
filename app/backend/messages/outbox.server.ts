import { type Keyring, open, seal } from "../secrets/keyring.server";
import { orderedId, type Reader } from "../store/store.server";
import { noteShown } from "./message-rows.server";
import { NO_NUMBER, type SmsQueue } from "./sms-channel.server";

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
    async put(tx, message) {
      const { to, text, sentAt } = message;
      const id = orderedId(sentAt);
      const sealed = seal(keyring, cellOf(id, "recipient_sealed"), to ?? NO_NUMBER);
      const row = {
        id,
        recipient_sealed: to === undefined ? "" : sealed,
        text_sealed: seal(keyring, cellOf(id, "text_sealed"), text),
        sent_at: sentAt,
      };
      await tx.insertInto("outbox").values(row).execute();
      await noteShown(tx, id, message);
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
    to: open(keyring, cellOf(row.id, "recipient_sealed"), row.recipient_sealed),
    text: open(keyring, cellOf(row.id, "text_sealed"), row.text_sealed),
    sentAt: new Date(row.sent_at).toISOString(),
  }));
}

function cellOf(row: string, column: string) {
  return { table: "outbox", column, row };
}
