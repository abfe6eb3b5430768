import type { AuditEvent } from "../../audit-event.server";
import type { Caller } from "../../caller.server";
import type { Tx } from "../../store/store.server";
import { orderedId } from "../../store/tables.server";
import type { StoredEvent } from "./event-hash.server";
import type { Position } from "./events-in-order.server";

/** What caused an event: a customer's request, or an operator's command. */
export interface AuditSource extends Pick<Caller, "address" | "requestId" | "deviceName" | "audited"> {
  /** Which member of the insurer's staff did it, and why (S97). */
  readonly act?: { readonly operator: string; readonly reason: string };
}

/** Writes an event in the transaction of its change: both are committed or neither. */
export async function audit(tx: Tx, source: AuditSource, now: number, happened: AuditEvent): Promise<void> {
  const event = {
    id: orderedId(now),
    happened_at: now,
    event: happened.event,
    account_id: happened.accountId ?? null,
    subject: happened.subject ?? null,
    purpose: happened.purpose ?? null,
    address: source.address,
    request_id: source.requestId,
    device_name: source.deviceName,
    operator: source.act?.operator ?? null,
    reason: source.act?.reason ?? null,
  };
  await tx.insertInto("audit_events").values(event).execute();
  tx.afterCommit(() => source.audited.push(happened));
}

/** Changes columns of a stored event. Needs the right to change the audit. */
export async function changeEvent(
  tx: Tx,
  { seq, id }: Position,
  columns: Partial<StoredEvent>,
): Promise<void> {
  await tx.updateTable("audit_events").set(columns).where("seq", "=", seq).where("id", "=", id).execute();
}
