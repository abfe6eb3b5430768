import type { StaffSource } from "../audit/audit-event.server";
import { openColumn, type SealedColumn } from "../customers/customers.server";
import { comparedForm } from "../customers/find-indexes.server";
import type { CustomerIds, SupportDependencies } from "./account-state.server";
import { auditStaffRefusal, type StaffMember } from "./staff-audit.server";

/**
 * Refuses a member of staff who would act on themselves: their sign-on carries the customer's e-mail or phone. Audited.
 * @param source the origin of the refusal
 */
export async function refuseOwnAccount(
  deps: SupportDependencies,
  staff: StaffMember,
  customer: CustomerIds,
  source: StaffSource,
): Promise<boolean> {
  if (!(await isOwnAccount(deps, staff, customer.customerId))) return false;
  await auditStaffRefusal(deps, source, customer);
  return true;
}

async function isOwnAccount(
  { store, keyring }: SupportDependencies,
  staff: StaffMember,
  customerId: string,
): Promise<boolean> {
  const row = await store.read
    .selectFrom("customers")
    .select(["phone_sealed", "new_phone_sealed", "email_sealed"])
    .where("id", "=", customerId)
    .executeTakeFirst();
  if (!row) return false;
  const isSame = (
    by: "phone" | "email",
    own: string | undefined,
    column: SealedColumn & keyof typeof row,
  ) => {
    const sealed = row[column];
    if (own === undefined || sealed === null) return false;
    return comparedForm(by, own) === comparedForm(by, openColumn(keyring, customerId, column, sealed));
  };
  return (
    isSame("email", staff.email, "email_sealed") ||
    isSame("phone", staff.phone, "phone_sealed") ||
    isSame("phone", staff.phone, "new_phone_sealed")
  );
}
