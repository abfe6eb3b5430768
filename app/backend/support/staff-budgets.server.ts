import type { Environment } from "~/platform/config/environment.server";
import { HOUR, MINUTE } from "~/platform/time.server";
import { countStop } from "../accounts/looks.server";
import type { StaffSource } from "../audit/audit-event.server";
import { refusalIfFull, spend as spendWindow, type WindowCap } from "../limits/windows.server";
import type { SupportDependencies } from "./account-state.server";
import { writeStaffRefusal } from "./staff-audit.server";

/** Rate limits of one member of staff: finds, finds without a result, customers opened. */
type Budget = "finds" | "misses" | "looks";

const FINDS_PER_MINUTE = 30;
const MISSES_PER_HOUR = 100;

type BudgetDependencies = SupportDependencies & {
  readonly settings: Pick<Environment, "HELP_DESK_LOOKS_PER_HOUR">;
};

function capOf({ settings }: BudgetDependencies, sub: string, budget: Budget): WindowCap {
  const bucket = `help-desk-${budget}|${sub}`;
  switch (budget) {
    case "finds":
      return { bucket, most: FINDS_PER_MINUTE, lengthMs: MINUTE };
    case "misses":
      return { bucket, most: MISSES_PER_HOUR, lengthMs: HOUR };
    case "looks":
      return { bucket, most: settings.HELP_DESK_LOOKS_PER_HOUR, lengthMs: HOUR };
  }
}

/**
 * Spends one of each of these budgets of a member of staff, and checks the others without spending. All processes
 * count together. A refusal is audited, and counted for an alarm.
 * @param sub the issuer's name for the person
 * @param refusal the origin of a refusal, for the audit
 * @returns after how many seconds to retry; undefined if there is room
 */
export function spendStaffBudgets(
  deps: BudgetDependencies,
  sub: string,
  { spend, check = [] }: { readonly spend: readonly Budget[]; readonly check?: readonly Budget[] },
  refusal: (full: Budget) => StaffSource,
): Promise<number | undefined> {
  const now = deps.clock();
  return deps.store.write(async (tx) => {
    for (const budget of [...check, ...spend]) {
      const cap = capOf(deps, sub, budget);
      const full = spend.includes(budget)
        ? await spendWindow(tx, cap, now)
        : await refusalIfFull(tx, cap, now);
      if (full?.kind !== "rate-limited") continue;
      await writeStaffRefusal(tx, refusal(budget), now);
      await countStop(tx, now);
      return full.retryAfterSeconds;
    }
    return undefined;
  });
}
