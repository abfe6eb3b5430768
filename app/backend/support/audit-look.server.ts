import { audit, type AuditEvent, type StaffSource } from "../audit/audit-event.server";
import { countLook } from "../accounts/looks.server";
import { trySpend } from "../limits/windows.server";
import type { Tx } from "../store/store.server";
import type { SupportDependencies } from "./account-state.server";

/** One look of an operator, with an event for each customer they saw. */
interface Look {
  readonly source: StaffSource;
  readonly events: readonly AuditEvent[];
  /** For how long (ms) a repeat is not audited again. */
  readonly lasts?: number | undefined;
}

/** Audits a look, and counts it. */
export async function auditLook(
  tx: Tx,
  { clock }: Pick<SupportDependencies, "clock">,
  { source, events, lasts: lengthMs }: Look,
): Promise<void> {
  const now = clock();
  const { operator } = source.act;
  let isNew = false;
  for (const event of events) {
    const bucket = `looking|${operator}|${event.event}|${event.accountId ?? event.subject ?? ""}`;
    if (lengthMs !== undefined && !(await trySpend(tx, { bucket, most: 1, lengthMs }, now))) continue;
    await audit(tx, source, now, event);
    isNew = true;
  }
  // Last, because all looks of an operator wait for its row.
  if (isNew) await countLook(tx, operator, now);
}
