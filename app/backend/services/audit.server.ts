import type { AuditEvent } from "../audit-event.server";
import type { Caller } from "../caller.server";
import { afterCommit } from "../store/after-commit.server";
import { orderedId } from "../store/ordered-id.server";
import type { Reader } from "../store/store.server";

/** Writes an event in the transaction of the change that it is about: both are kept or neither. */
export async function audit(tx: Reader, caller: Caller, now: number, happened: AuditEvent): Promise<void> {
  const values = {
    id: orderedId(now),
    happened_at: now,
    event: happened.event,
    account_id: happened.accountId ?? null,
    subject: happened.subject ?? null,
    purpose: happened.purpose ?? null,
    address: caller.address,
    request_id: caller.requestId,
    device_name: caller.deviceName,
  };
  await tx.insertInto("audit_events").values(values).execute();
  afterCommit(tx, () => caller.audited.push(happened));
}
