import type { AuditSource } from "~/backend/types";
import type { Staff, StaffVisit } from "./screen";

/** Stands for the device of a member of staff: their events came from these pages. */
const SOURCE = "help-desk";

/** The origin of what a member of staff does here, for the audit (S97). */
export function staffSource(
  {
    incoming,
    staff,
  }: { readonly incoming: StaffVisit["incoming"]; readonly staff: Pick<Staff, "name" | "sub"> },
  reason: string,
): AuditSource & Required<Pick<AuditSource, "act">> {
  return {
    address: incoming.clientAddress,
    requestId: incoming.requestId,
    deviceName: SOURCE,
    audited: [],
    act: { operator: `${staff.name} (${staff.sub})`, reason },
  };
}
