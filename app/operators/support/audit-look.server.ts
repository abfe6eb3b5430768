import { audit, type AuditEvent, type StaffSource } from "~/backend/audit-event.server";
import { countLook } from "~/backend/services/accounts/looks.server";
import type { Tx } from "~/backend/store/store.server";
import type { SupportDependencies } from "./account-state.server";

/** Audits one look of an operator, with an event for each customer they saw, and counts it. */
export async function auditLook(
  tx: Tx,
  { clock }: Pick<SupportDependencies, "clock">,
  source: StaffSource,
  ...events: readonly AuditEvent[]
): Promise<void> {
  const now = clock();
  for (const event of events) await audit(tx, source, now, event);
  // Last, because all looks of an operator wait for its row.
  await countLook(tx, source.act.operator, now);
}
