import { counter } from "~/platform/telemetry/metrics.server";
import { HOUR } from "../../clock.server";
import type { Dependencies } from "../../dependencies.server";
import type { WindowCap } from "./windows.server";

/** The share of a budget at which a warning is logged. */
const EARLY_WARNING = 0.8;

/**
 * What limits messages. `policy`: the policies of a policyholder, or the details that an unknown visitor claims.
 * `notice-number` and `lock-number`: notices to one number. A budget is for all numbers together.
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
] as const;
/** The name of a cap in the metrics. */
export type CapName = (typeof CAPS)[number];

const capsReached = counter(
  { name: "portal_sms_caps_reached_total", help: "Messages not sent because of a cap, by cap" },
  { cap: CAPS },
);

/** For stand-ins, which limit nothing. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** A cap whose refusals are counted in the metrics: many of them suggest SMS pumping or harassment (S27). */
export function counted(which: CapName, cap: WindowCap): WindowCap {
  return {
    ...cap,
    onFull: () => {
      capsReached.inc({ cap: which });
    },
  };
}

/** Whose messages a budget is for: signed-out visitors' codes, all other codes, notices of locks. */
type Budget = "open" | "known" | "lock";

/** How many messages all numbers together may get in an hour. Logged when it runs low. */
export function hourlyBudget(
  deps: Dependencies,
  budget: Budget,
  { bucket, most }: Pick<WindowCap, "bucket" | "most">,
): WindowCap {
  return counted(`${budget}-budget`, {
    bucket,
    most,
    lengthMs: HOUR,
    onTaken: (count) => {
      watchBudget(deps, { budget, count, most });
    },
  });
}

/**
 * Logs an error when a budget is used up, and a warning before. The count grows by one across all processes, so each is
 * logged once an hour, by the process that took that count.
 */
function watchBudget({ log }: Dependencies, facts: { budget: Budget; count: number; most: number }): void {
  const { budget, count, most } = facts;
  if (count === most) log.error({ event: "sms-total-cap-reached", budget, most }, "sms");
  else if (count === Math.ceil(most * EARLY_WARNING))
    log.warn({ event: "sms-total-cap-near", ...facts }, "sms");
}
