import { openColumn, type SealedColumn } from "~/backend/customers/customers.server";
import { comparedForm } from "~/backend/customers/find-indexes.server";
import type { Policyholder } from "~/backend/support/account-state.server";
import { auditRefusal } from "./refusal.server";
import type { StaffVisit } from "./screen";

/**
 * Refuses a member of staff who would act on themselves: their sign-on carries the customer's e-mail or phone. Audited.
 */
export async function refuseOwnAccount(
  visit: StaffVisit,
  customer: Policyholder,
  reason: string,
): Promise<boolean> {
  if (!(await isOwn(visit, customer))) return false;
  await visit.desk.store.write((tx) => auditRefusal(tx, visit, `their own account: ${reason}`, customer));
  return true;
}

async function isOwn({ desk, staff }: StaffVisit, { customerId }: Policyholder): Promise<boolean> {
  const row = await desk.store.read
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
    return comparedForm(by, own) === comparedForm(by, openColumn(desk.keyring, customerId, column, sealed));
  };
  return (
    isSame("email", staff.email, "email_sealed") ||
    isSame("phone", staff.phone, "phone_sealed") ||
    isSame("phone", staff.phone, "new_phone_sealed")
  );
}
