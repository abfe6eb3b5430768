import { counter } from "~/platform/telemetry/metrics.server";
import { HOUR } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import type { WindowCap } from "./windows.server";

/** The share of a budget at which a warning is logged. */
const EARLY_WARNING = 0.8;

/**
 * The names of the caps on messages. `number`: codes to one phone number. `policy`: codes for one policyholder, or for the
 * details that an unknown visitor claims. `address`: codes requested from one IP address. `notice-number`, `lock-number`:
 * SMS notices of changes, and of locks, to one number. `mail-…`: e-mail notices. `…-budget`: messages to all customers
 * together.
 */
const CAPS = [
  "number",
  "policy",
  "address",
  "open-budget",
  "known-budget",
  "notice-number",
  "lock-number",
  "lock-budget",
  "mail-customer",
  "mail-lock-customer",
  "mail-lock-budget",
] as const;
/** The name of a cap in the metrics. */
export type CapName = (typeof CAPS)[number];

const capsReached = counter(
  { name: "portal_sms_caps_reached_total", help: "Messages not sent because of a cap, by cap" },
  { cap: CAPS },
);

/** A cap whose refusals are counted in the metrics: many of them suggest SMS pumping or harassment (S27). */
export function withMetric(metric: CapName, cap: WindowCap): WindowCap {
  return {
    ...cap,
    metric,
    onFull: () => {
      capsReached.inc({ cap: metric });
    },
  };
}

/** The budgets: codes counted as `open`, all other codes (`known`), notices of locks by SMS (`lock`) and by e-mail. */
type Budget = "open" | "known" | "lock" | "mail-lock";

/** A cap on the messages to all customers together in an hour. The log warns when the budget runs low. */
export function hourlyBudget(
  deps: Pick<Dependencies, "log">,
  budget: Budget,
  { bucket, most }: Pick<WindowCap, "bucket" | "most">,
): WindowCap {
  return withMetric(`${budget}-budget`, {
    bucket,
    most,
    lengthMs: HOUR,
    onSpent: (count) => {
      watchBudget(deps, { budget, count, most });
    },
  });
}

/**
 * Logs a warning when a budget is nearly used up, and an error when it is used up. All processes share the count, and
 * only one process reaches a given number, so each line is logged at most once an hour.
 */
function watchBudget(
  { log }: Pick<Dependencies, "log">,
  facts: { budget: Budget; count: number; most: number },
): void {
  const { budget, count, most } = facts;
  if (count === most) log.error({ event: "sms-total-cap-reached", budget, most }, "sms");
  else if (count === Math.ceil(most * EARLY_WARNING))
    log.warn({ event: "sms-total-cap-near", ...facts }, "sms");
}
