import { audit } from "~/backend/audit/audit-event.server";
import type { Tx } from "~/backend/store/store.server";
import { type Policyholder, subjectOf } from "~/backend/support/account-state.server";
import type { HelpDesk } from "./screen";
import { staffSource } from "./staff-source.server";

/**
 * Writes to the audit that a member of staff was refused.
 * @param reason which rule refused, and the person's own reason if they gave one
 * @param customer whom it was about, if anyone
 */
export function auditRefusal(
  tx: Tx,
  visit: Parameters<typeof staffSource>[0] & { readonly desk: Pick<HelpDesk, "clock"> },
  reason: string,
  customer?: Policyholder,
): Promise<void> {
  const event = { event: "staff-refused", ...(customer && subjectOf(customer)) } as const;
  return audit(tx, staffSource(visit, reason), visit.desk.clock(), event);
}
