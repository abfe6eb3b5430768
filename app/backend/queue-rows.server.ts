import { sql } from "kysely";
import type { Tx } from "./store/store.server";
import type { Tables } from "./store/tables.server";

/** The queues of messages: text messages, and e-mails. */
type QueueTable = "sms_queue" | "mail_queue";

/** The operations of a sender on the rows of its queue. */
export interface QueueRows<Row> {
  /**
   * Claims a message for one attempt: no other process gets it before `claimedUntil`. A single statement compares and
   * updates, so only one process wins. If that process is killed, the message simply becomes due again.
   */
  readonly claimRow: (tx: Tx, id: string, now: number, claimedUntil: number) => Promise<Row | undefined>;
  /** Schedules another attempt, unless another process has claimed the message meanwhile. */
  readonly postponeRow: (
    tx: Tx,
    row: { readonly id: string; readonly tries: number },
    dueAt: number,
  ) => Promise<void>;
  /** Deletes a message with all that it holds. */
  readonly deleteRow: (tx: Tx, id: string) => Promise<void>;
  /** Deletes and returns expired messages, except those being sent. */
  readonly deleteEnded: (tx: Tx, now: number) => Promise<readonly Row[]>;
}

/** The statements of one queue. Both tables have these columns: `id`, `tries`, `due_at`, `ends_at`. */
export function queueRows<Table extends QueueTable>(name: Table): QueueRows<Tables[Table]> {
  const table: QueueTable = name;
  return {
    claimRow: (tx, id, now, claimedUntil) =>
      tx
        .updateTable(table)
        .set({ tries: sql<number>`tries + 1`, due_at: claimedUntil })
        .where("id", "=", id)
        .where("due_at", "<=", now)
        .where("ends_at", ">", now)
        .returningAll()
        .executeTakeFirst(),
    postponeRow: async (tx, { id, tries }, dueAt) => {
      await tx
        .updateTable(table)
        .set({ due_at: dueAt })
        .where("id", "=", id)
        .where("tries", "=", tries)
        .execute();
    },
    deleteRow: async (tx, id) => {
      await tx.deleteFrom(table).where("id", "=", id).execute();
    },
    deleteEnded: (tx, now) =>
      tx.deleteFrom(table).where("ends_at", "<=", now).where("due_at", "<=", now).returningAll().execute(),
  };
}
