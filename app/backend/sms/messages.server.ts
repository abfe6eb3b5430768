import { sql } from "kysely";
import type { Purpose } from "~/contract/purposes";
import { audit } from "../audit-event.server";
import type { Reader, Tx } from "../store/store.server";
import type { MessageState, Tables } from "../store/tables.server";
import type { Delivery, GatewayName } from "./gateway.server";

// What became of each message: neither its text nor its number (S142).

/** A message that is being written. */
interface Written {
  readonly id: string;
  /** Undefined for a message to nobody. It has a row, too, so that it takes as long (S108). */
  readonly customerId: string | undefined;
  readonly purpose: Purpose | "notice";
  readonly sentAt: number;
}

/** Notes that a message waits for the gateway, in the transaction that queues it. */
export async function noteWaiting(tx: Tx, message: Written): Promise<void> {
  await note(tx, message, "waiting");
}

/** Notes that a message is in the demo's outbox, in the transaction that puts it there. */
export async function noteInOutbox(tx: Tx, message: Written): Promise<void> {
  await note(tx, message, "accepted");
}

async function note(
  tx: Tx,
  { id, customerId, purpose, sentAt }: Written,
  state: MessageState,
): Promise<void> {
  const row = { id, customer_id: customerId ?? null, purpose, state, written_at: sentAt, changed_at: sentAt };
  await tx.insertInto("messages").values(row).execute();
}

/** A queued message, as its row has it. */
type Queued = Pick<Tables["sms_queue"], "id" | "purpose" | "request_id">;

/** Notes what the gateway said of a message, in the transaction that takes it from the queue or postpones it. */
export async function noteDelivery(
  tx: Tx,
  { id, purpose, request_id }: Queued,
  {
    delivery,
    gateway,
    now,
  }: { readonly delivery: Delivery; readonly gateway: GatewayName; readonly now: number },
): Promise<void> {
  const reason = delivery.kind === "accepted" ? null : delivery.reason;
  if (delivery.kind === "later") {
    await tx.updateTable("messages").set({ reason, gateway }).where("id", "=", id).execute();
    return;
  }
  const gatewayId = delivery.kind === "accepted" ? (delivery.id ?? null) : null;
  const noted = await tx
    .updateTable("messages")
    .set({ state: delivery.kind, reason, gateway, gateway_id: gatewayId, changed_at: now })
    .where("id", "=", id)
    .returning("customer_id")
    .executeTakeFirst();
  if (delivery.kind === "refused" && typeof noted?.customer_id === "string")
    await auditRefused(tx, { customerId: noted.customer_id, purpose, requestId: request_id, reason, now });
}

async function auditRefused(
  tx: Tx,
  refused: Pick<Written, "purpose"> & {
    readonly customerId: string;
    readonly requestId: string;
    readonly reason: string | null;
    readonly now: number;
  },
): Promise<void> {
  const { customerId, purpose, requestId, reason, now } = refused;
  const account = await tx
    .selectFrom("accounts")
    .select("id")
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  const source = { address: "", requestId, deviceName: "", audited: [] };
  await audit(tx, source, now, {
    event: "message-refused",
    ...(account ? { accountId: account.id } : { subject: customerId }),
    ...(purpose !== "notice" && { purpose }),
    reason: reason ?? undefined,
  });
}

/** Notes that messages were too late to send. */
export async function noteGivenUp(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const state: MessageState = "given-up";
  await tx.updateTable("messages").set({ state, changed_at: now }).where("id", "in", ids).execute();
}

/** Forgets a message to nobody. */
export async function forgetMessage(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("messages").where("id", "=", id).execute();
}

/** What became of a message. */
export interface SentMessage {
  readonly purpose: Purpose | "notice";
  /** `unknown`: it waits no more, and a release that doesn't note it, or a restored backup, is the reason. */
  readonly state: MessageState | "unknown";
  /** Why it was refused, or still waits, in our words. */
  readonly reason: string | undefined;
  readonly gateway: GatewayName | undefined;
  /** The gateway's own id. */
  readonly gatewayId: string | undefined;
  /** In ms. */
  readonly writtenAt: number;
  readonly changedAt: number;
}

/** The last message of each kind to a customer, the newest first. */
export async function lastMessages(reader: Reader, customerId: string): Promise<readonly SentMessage[]> {
  const rows = await reader
    .selectFrom("messages")
    .leftJoin("sms_queue", "sms_queue.id", "messages.id")
    .selectAll("messages")
    .select(sql<string | null>`sms_queue.id`.as("queued"))
    .where("customer_id", "=", customerId)
    .orderBy("messages.id", "desc")
    .execute();
  const newest = new Map(rows.toReversed().map((row) => [row.purpose, row]));
  return rows
    .filter((row) => newest.get(row.purpose) === row)
    .map((row) => ({
      purpose: row.purpose,
      state: row.state === "waiting" && row.queued === null ? "unknown" : row.state,
      reason: row.reason ?? undefined,
      gateway: row.gateway ?? undefined,
      gatewayId: row.gateway_id ?? undefined,
      writtenAt: row.written_at,
      changedAt: row.changed_at,
    }));
}
