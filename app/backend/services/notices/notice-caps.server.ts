import { DAY, HOUR } from "../../clock.server";
import type { Dependencies } from "../../dependencies.server";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import { UNLIMITED, counted, hourlyBudget } from "../counting/message-caps.server";
import type { WindowCap, WindowCaps } from "../counting/windows.server";

// Notices have two purses of their own: no notice ever costs a customer a code, and notices of locks, which strangers
// can cause, cost no other notice (S96).

type CapDependencies = Pick<Dependencies, "limits" | "keyring">;

/** How many notices of changes a number gets in a day. */
export function changeCap({ limits, keyring }: CapDependencies, phone: string): WindowCap {
  return counted("notice-number", {
    bucket: `notices|change|${steadyIndex(keyring, "phone", phone)}`,
    most: limits.SMS_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

/** How many notices of locks a number gets in a day. */
export function lockCap({ limits, keyring }: CapDependencies, phone: string): WindowCap {
  return counted("lock-number", {
    bucket: `notices|lock|${steadyIndex(keyring, "phone", phone)}`,
    most: limits.SMS_LOCK_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

/**
 * How many notices of locks a number gets in a day, and all numbers together in an hour; undefined without a number.
 */
export function lockCaps(deps: Dependencies, phone: string | undefined): WindowCaps | undefined {
  // Without a number too, so that it takes as long (S108).
  const perNumber = lockCap(deps, phone ?? "");
  if (phone === undefined) return undefined;
  const bucket = "notices|all|lock";
  return {
    own: [perNumber],
    shared: [hourlyBudget(deps, "lock", { bucket, most: deps.limits.SMS_LOCK_NOTICES_TOTAL_PER_HOUR })],
  };
}

/** Stand-ins for `lockCaps`, for messages that nobody gets: they limit nothing and cost the same work (S108). */
export function lockStandIns(subject: string): WindowCaps {
  return {
    own: [{ bucket: `notices|nothing|${subject}`, most: UNLIMITED, lengthMs: DAY }],
    shared: [{ bucket: "notices|nothing", most: UNLIMITED, lengthMs: HOUR }],
  };
}
