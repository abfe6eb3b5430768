import type { Purpose } from "~/contract/purposes";
import { audit } from "./audit-event.server";
import type { Delivery } from "./sms/gateway.server";
import type { Tx } from "./store/store.server";
import type { MessageGateway, MessagePurpose, MessageState } from "./store/column-values.server";

// The outcome of each text message and e-mail, in the table `messages` (S142).

/** A message to be noted, without its text and its number (S142). */
interface Written {
  readonly id: string;
  /** Undefined for a decoy, which has a row, too, so that it takes as long (S108). */
  readonly customerId: string | undefined;
  readonly purpose: MessagePurpose;
  readonly sentAt: number;
}

/** Notes a message, in the transaction that queues it. In the demo's outbox it is accepted at once. */
export async function noteWritten(
  tx: Tx,
  { id, customerId, purpose, sentAt }: Written,
  state: MessageState,
): Promise<void> {
  const row = { id, customer_id: customerId ?? null, purpose, state, written_at: sentAt, changed_at: sentAt };
  await tx.insertInto("messages").values(row).execute();
}

/** A queued message, as its row has it. */
interface Queued {
  readonly id: string;
  readonly purpose: MessagePurpose;
  readonly request_id: string;
}

/** Notes the gateway's answer, in the transaction that takes the message from the queue or postpones it. */
export async function noteDelivery(
  tx: Tx,
  { id, purpose, request_id }: Queued,
  {
    delivery,
    gateway,
    now,
  }: { readonly delivery: Delivery; readonly gateway: MessageGateway; readonly now: number },
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
  refused: Pick<Queued, "purpose"> & {
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
    ...(isForCode(purpose) && { purpose }),
    reason: purpose === "mail-notice" ? `e-mail: ${reason ?? ""}` : (reason ?? undefined),
  });
}

/** Notes that messages were too late to send. */
export async function noteGivenUp(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const state: MessageState = "given-up";
  await tx.updateTable("messages").set({ state, changed_at: now }).where("id", "in", ids).execute();
}

/** Forgets a decoy. */
export async function forgetMessage(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("messages").where("id", "=", id).execute();
}

function isForCode(purpose: MessagePurpose): purpose is Purpose {
  return purpose !== "notice" && purpose !== "mail-notice";
}
