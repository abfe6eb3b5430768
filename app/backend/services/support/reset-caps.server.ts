import { lockAccount, lockCustomer } from "../accounts/customers.server";
import { audit, type AuditSource } from "../audit/write-event.server";
import { forgetAttempts } from "../counting/attempts.server";
import { countedCaps, type CountedCap } from "./customer-caps.server";
import { whose, type Policyholder } from "./policyholder.server";
import type { SupportDependencies } from "./support-act.server";

/**
 * Lets a customer get messages again: sets their caps to zero, and lifts the stop after too many wrong codes. A blocked
 * code needs nothing, because the next one replaces it. Returns what was reset.
 */
export function resetCaps(
  deps: SupportDependencies,
  source: AuditSource,
  customer: Policyholder,
): Promise<readonly CountedCap[]> {
  const { customerId, accountId } = customer;
  return deps.store.write(async (tx) => {
    if (accountId === undefined) await lockCustomer(tx, customerId);
    else await lockAccount(tx, accountId);
    const counted = await countedCaps(tx, deps, customer);
    for (const { subjects, buckets } of counted) {
      for (const subject of subjects) await forgetAttempts(tx, subject);
      for (const bucket of buckets) await tx.deleteFrom("windows").where("bucket", "=", bucket).execute();
    }
    if (counted.length > 0)
      await audit(tx, source, deps.clock(), { event: "caps-reset", ...whose(customer) });
    return counted;
  });
}
