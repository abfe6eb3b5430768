import { DAY, HOUR } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex } from "../secrets/keyring.server";
import { counted, hourlyBudget, UNLIMITED, type WindowCap, type WindowCaps } from "./counting.server";

// Notices have caps of their own, by SMS and by e-mail: no notice ever costs a customer a code, and notices of locks, which
// strangers can cause, cost no other notice (S96, S149).

/** The ways that notices go, each with caps of its own. */
export type NoticeChannelName = "sms" | "mail";

interface Named {
  readonly buckets: string;
  readonly change: readonly ["notice-number" | "mail-customer", keyof Dependencies["limits"]];
  readonly lock: readonly ["lock-number" | "mail-lock-customer", keyof Dependencies["limits"]];
  readonly all: readonly ["lock" | "mail-lock", keyof Dependencies["limits"]];
}

const CAPS: Readonly<Record<NoticeChannelName, Named>> = {
  sms: {
    buckets: "notices",
    change: ["notice-number", "SMS_NOTICES_PER_DAY"],
    lock: ["lock-number", "SMS_LOCK_NOTICES_PER_DAY"],
    all: ["lock", "SMS_LOCK_NOTICES_TOTAL_PER_HOUR"],
  },
  mail: {
    buckets: "notices|mail",
    change: ["mail-customer", "MAIL_NOTICES_PER_DAY"],
    lock: ["mail-lock-customer", "MAIL_LOCK_NOTICES_PER_DAY"],
    all: ["mail-lock", "MAIL_LOCK_NOTICES_TOTAL_PER_HOUR"],
  },
};

type CapDependencies = Pick<Dependencies, "limits" | "keyring">;

/**
 * How many notices of changes, or of locks, someone gets in a day.
 * @param whom a phone number; for e-mails a customer, so that no request opens an address
 */
export function noticeCap(
  { limits, keyring }: CapDependencies,
  channel: NoticeChannelName,
  about: "change" | "lock",
  whom: string,
): WindowCap {
  const { buckets, [about]: cap } = CAPS[channel];
  const counts = channel === "sms" ? steadyIndex(keyring, "phone", whom) : whom;
  return counted(cap[0], {
    bucket: `${buckets}|${about}|${counts}`,
    most: limits[cap[1]],
    lengthMs: DAY,
  });
}

/** How many notices of locks someone gets in a day, and all together in an hour; undefined without a recipient. */
export function lockCaps(
  deps: CapDependencies & Pick<Dependencies, "log">,
  channel: NoticeChannelName,
  whom: string | undefined,
): WindowCaps | undefined {
  // Without a recipient too, so that it takes as long (S108).
  const own = noticeCap(deps, channel, "lock", whom ?? "");
  if (whom === undefined) return undefined;
  const {
    buckets,
    all: [budget, limit],
  } = CAPS[channel];
  const shared = { bucket: `${buckets}|all|lock`, most: deps.limits[limit] };
  return { own: [own], shared: [hourlyBudget(deps, budget, shared)] };
}

/** Caps in place of `lockCaps`, for decoys: they limit nothing and cost the same work (S108). */
export function lockDecoys(channel: NoticeChannelName, subject: string): WindowCaps {
  const bucket = `notices|nothing|${channel}`;
  return {
    own: [{ bucket: `${bucket}|${subject}`, most: UNLIMITED, lengthMs: DAY }],
    shared: [{ bucket, most: UNLIMITED, lengthMs: HOUR }],
  };
}
