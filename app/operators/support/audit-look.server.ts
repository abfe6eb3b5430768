import { audit, type AuditEvent, type StaffSource } from "~/backend/audit-event.server";
import { countLook } from "~/backend/services/accounts/looks.server";
import { fitsInWindow } from "~/backend/services/counting.server";
import type { Tx } from "~/backend/store/store.server";
import type { SupportDependencies } from "./account-state.server";

/** One look of an operator, with an event for each customer they saw. */
interface Look {
  readonly source: StaffSource;
  readonly events: readonly AuditEvent[];
  /** For how long (ms) the same of an operator at the same customer is no other look. */
  readonly lasts?: number | undefined;
}

/** Audits a look, and counts it. */
export async function auditLook(
  tx: Tx,
  { clock }: Pick<SupportDependencies, "clock">,
  { source, events, lasts }: Look,
): Promise<void> {
  const now = clock();
  const { operator } = source.act;
  const fresh: AuditEvent[] = [];
  for (const event of events) {
    const bucket = `looking|${operator}|${event.event}|${event.accountId ?? event.subject ?? ""}`;
    if (lasts === undefined || (await fitsInWindow(tx, { bucket, most: 1, lengthMs: lasts }, now)))
      fresh.push(event);
  }
  for (const event of fresh) await audit(tx, source, now, event);
  // Last, because all looks of an operator wait for its row.
  if (fresh.length > 0) await countLook(tx, operator, now);
}
