import { countStop } from "~/backend/accounts/looks.server";
import { lookAtWindow, takeFromWindow, type WindowCap } from "~/backend/limits/counting.server";
import { HOUR, MINUTE } from "~/platform/time.server";
import { auditRefusal } from "./refusal.server";
import type { StaffVisit } from "./screen";

/** What one member of staff may do only so often: find, find nobody, open a customer. */
type Budget = "finds" | "misses" | "looks";

const FINDS_PER_MINUTE = 30;
const MISSES_PER_HOUR = 100;

function capOf({ staff, desk }: StaffVisit, budget: Budget): WindowCap {
  const bucket = `help-desk-${budget}|${staff.sub}`;
  switch (budget) {
    case "finds":
      return { bucket, most: FINDS_PER_MINUTE, lengthMs: MINUTE };
    case "misses":
      return { bucket, most: MISSES_PER_HOUR, lengthMs: HOUR };
    case "looks":
      return { bucket, most: desk.settings.HELP_DESK_LOOKS_PER_HOUR, lengthMs: HOUR };
  }
}

/**
 * Takes one from each of these budgets of a member of staff, and looks at the others without taking. All processes
 * count together. A refusal is audited, and counted for an alarm.
 * @returns in how many seconds the full one is over; undefined if there is room
 */
export function takeFrom(
  visit: StaffVisit,
  reason: string,
  budgets: { readonly take: readonly Budget[]; readonly lookAt?: readonly Budget[] },
): Promise<number | undefined> {
  const { desk } = visit;
  const now = desk.clock();
  const { take, lookAt = [] } = budgets;
  return desk.store.write(async (tx) => {
    for (const budget of [...lookAt, ...take]) {
      const cap = capOf(visit, budget);
      const full = take.includes(budget)
        ? await takeFromWindow(tx, cap, now)
        : await lookAtWindow(tx, cap, now);
      if (full?.kind !== "rate-limited") continue;
      await auditRefusal(tx, visit, `too many ${budget}: ${reason}`);
      await countStop(tx, now);
      return full.retryAfterSeconds;
    }
    return undefined;
  });
}
