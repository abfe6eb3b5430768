import { audit, type StaffSource } from "../audit/audit-event.server";
import type { Tx } from "../store/store.server";
import { type CustomerIds, subjectOf, type SupportDependencies } from "./account-state.server";

/** A member of the insurer's staff, as the issuer of their sign-on names them. */
export interface StaffMember {
  /** The issuer's name for this person, which never changes. */
  readonly sub: string;
  readonly name: string;
  /** Their own contacts, if the issuer says: no member of staff acts on their own account. */
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

type AuditDependencies = Pick<SupportDependencies, "store" | "clock">;

/**
 * Writes to the audit that a member of staff was refused.
 * @param source its reason says which rule refused, and the person's own reason if they gave one
 */
export function writeStaffRefusal(
  tx: Tx,
  source: StaffSource,
  now: number,
  customer?: CustomerIds,
): Promise<void> {
  return audit(tx, source, now, { event: "staff-refused", ...(customer && subjectOf(customer)) });
}

/** Like `writeStaffRefusal`, in a transaction of its own. */
export function auditStaffRefusal(
  { store, clock }: AuditDependencies,
  source: StaffSource,
  customer?: CustomerIds,
): Promise<void> {
  return store.write((tx) => writeStaffRefusal(tx, source, clock(), customer));
}

/** Writes to the audit that a member of staff has signed on. */
export function auditStaffSignOn({ store, clock }: AuditDependencies, source: StaffSource): Promise<void> {
  return store.write((tx) => audit(tx, source, clock(), { event: "staff-signed-on" }));
}
