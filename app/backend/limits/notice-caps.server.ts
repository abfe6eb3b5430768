import { DAY, HOUR } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex } from "../secrets/keyring.server";
import { hourlyBudget, withMetric } from "./caps.server";
import { UNLIMITED, type WindowCap, type WindowCaps } from "./windows.server";

// Notices have caps of their own, by SMS and by e-mail: no notice ever costs a customer a code, and notices of locks, which
// strangers can cause, cost no other notice (S96, S149).

/** The channels of notices. Each has its own caps. */
export type NoticeChannelName = "sms" | "mail";

const CAPS = {
  sms: {
    buckets: "notices",
    change: { metric: "notice-number", limit: "SMS_NOTICES_PER_DAY" },
    lock: { metric: "lock-number", limit: "SMS_LOCK_NOTICES_PER_DAY" },
    allLocks: { budget: "lock", limit: "SMS_LOCK_NOTICES_TOTAL_PER_HOUR" },
  },
  mail: {
    buckets: "notices|mail",
    change: { metric: "mail-customer", limit: "MAIL_NOTICES_PER_DAY" },
    lock: { metric: "mail-lock-customer", limit: "MAIL_LOCK_NOTICES_PER_DAY" },
    allLocks: { budget: "mail-lock", limit: "MAIL_LOCK_NOTICES_TOTAL_PER_HOUR" },
  },
} as const;

type CapDependencies = Pick<Dependencies, "limits" | "keyring">;

/**
 * How many notices of changes, or of locks, a recipient gets in a day.
 * @param recipient a phone number; for e-mails a customer, so that no request decrypts an address
 */
export function noticeCap(
  { limits, keyring }: CapDependencies,
  channel: NoticeChannelName,
  about: "change" | "lock",
  recipient: string,
): WindowCap {
  const { buckets, [about]: cap } = CAPS[channel];
  const key = channel === "sms" ? steadyIndex(keyring, "phone", recipient) : recipient;
  return withMetric(cap.metric, {
    bucket: `${buckets}|${about}|${key}`,
    most: limits[cap.limit],
    lengthMs: DAY,
  });
}

/** How many notices of locks a recipient gets in a day, and all together in an hour; undefined without a recipient. */
export function lockCaps(
  deps: CapDependencies & Pick<Dependencies, "log">,
  channel: NoticeChannelName,
  recipient: string | undefined,
): WindowCaps | undefined {
  // Computed without a recipient too, so that it takes as long (S108).
  const own = noticeCap(deps, channel, "lock", recipient ?? "");
  if (recipient === undefined) return undefined;
  const { buckets, allLocks } = CAPS[channel];
  const shared = { bucket: `${buckets}|all|lock`, most: deps.limits[allLocks.limit] };
  return { own: [own], shared: [hourlyBudget(deps, allLocks.budget, shared)] };
}

/** Caps in place of `lockCaps`, for decoys: they limit nothing and cost the same work (S108). */
export function lockDecoys(channel: NoticeChannelName, subject: string): WindowCaps {
  const bucket = `notices|nothing|${channel}`;
  return {
    own: [{ bucket: `${bucket}|${subject}`, most: UNLIMITED, lengthMs: DAY }],
    shared: [{ bucket, most: UNLIMITED, lengthMs: HOUR }],
  };
}
