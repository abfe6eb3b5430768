import type { Limits } from "~/platform/config/limits";
import { addressBucket } from "~/platform/network/client-address";
import { DAY, HOUR, MINUTE } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Recipient } from "../customers/phones.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex, tokenHash } from "../secrets/keyring.server";
import { type CapName, hourlyBudget, withMetric } from "./caps.server";
import { UNLIMITED, type WindowCap, type WindowCaps } from "./windows.server";

/**
 * The group of caps that a code counts towards. It never counts towards another group (S106, S107).
 * - `open`: a signed-out visitor, with a keyed hash of the details they claim, whether or not these match a customer
 *   (S7)
 * - `known`: after a right password, or in a session
 * - `browser`: a known browser, signed in or not
 */
export type CountedAs =
  | { readonly kind: "open"; readonly typed: string }
  | { readonly kind: "known" }
  | { readonly kind: "browser" };

/** A session, or a signed-out visitor. */
interface Requester {
  readonly isKnownBrowser: boolean;
}

/** How a code in a session is counted. */
export function countedInSession({ isKnownBrowser }: Requester): Exclude<CountedAs, { kind: "open" }> {
  return { kind: isKnownBrowser ? "browser" : "known" };
}

/** How a code for a signed-out visitor is counted, with the details they claim. */
export function countedAsVisitor({ isKnownBrowser }: Requester, typed: string): CountedAs {
  return isKnownBrowser ? { kind: "browser" } : { kind: "open", typed };
}

/** The limits of codes counted as open, and of all others. */
const LIMITS = {
  open: {
    tenMinutes: "SMS_OPEN_PER_10_MINUTES",
    day: "SMS_OPEN_PER_DAY",
    policies: "SMS_POLICIES_OPEN_PER_DAY",
    total: "SMS_OPEN_TOTAL_PER_HOUR",
  },
  known: {
    tenMinutes: "SMS_KNOWN_PER_10_MINUTES",
    day: "SMS_KNOWN_PER_DAY",
    policies: "SMS_POLICIES_KNOWN_PER_DAY",
    total: "SMS_KNOWN_TOTAL_PER_HOUR",
  },
} as const;

/**
 * Caps on requests: per address (shared), and for unknown visitors per claimed details, whether or not these match a
 * customer (S7, S28). Known browsers aren't counted by address, because others may share it (S107).
 */
export function requestCaps({ limits }: Dependencies, caller: Caller, countedAs: CountedAs): WindowCaps {
  if (countedAs.kind === "browser") return { own: [], shared: [] };
  const perAddress = withMetric("address", {
    bucket: `codes|address|${addressBucket(caller.address)}`,
    most: limits.ADDRESS_CODES_PER_10_MINUTES,
    lengthMs: 10 * MINUTE,
  });
  return { own: countedAs.kind === "open" ? typedCaps(limits, countedAs.typed) : [], shared: [perAddress] };
}

/** Caps on requests of signed-out visitors who claim these details, given as a keyed hash. */
export function typedCaps(limits: Limits, typed: string): WindowCap[] {
  return shortAndDaily(limits, "open", "policy", `codes|typed|${typed}`);
}

/**
 * Caps on sending: per phone number or known browser, per policyholder, and (shared) the budget for all (S27, S28,
 * S106). They count only messages that are really sent. Number and policyholder count separately: policyholders can
 * share a number, and can change it.
 */
export function sendingCaps(
  deps: Dependencies,
  { browser }: Caller,
  { kind }: CountedAs,
  to: Recipient,
): WindowCaps {
  const budget = kind === "open" ? "open" : "known";
  const all = { bucket: `codes|all|${budget}`, most: deps.limits[LIMITS[budget].total] };
  return {
    own:
      kind === "browser"
        ? browserCaps(deps.limits, to.customerId, tokenHash(browser))
        : numberCaps(deps, kind, to),
    shared: [hourlyBudget(deps, budget, all)],
  };
}

/** The caps on sending to a policyholder's number and for their policies: the open ones or the known ones. */
export function numberCaps(
  { limits, keyring }: Pick<Dependencies, "limits" | "keyring">,
  kind: "open" | "known",
  { customerId, phone }: Recipient,
): WindowCap[] {
  return [
    ...shortAndDaily(limits, kind, "number", `codes|phone|${kind}|${steadyIndex(keyring, "phone", phone)}`),
    withMetric("policy", {
      bucket: `codes|policies|${kind}|${customerId}`,
      most: limits[LIMITS[kind].policies],
      lengthMs: DAY,
    }),
  ];
}

/** The caps on sending to a policyholder in one of their known browsers, given as the hash of its token. */
export function browserCaps(limits: Limits, customerId: string, browserHash: string): WindowCap[] {
  return shortAndDaily(limits, "known", "number", `codes|browser|${customerId}|${browserHash}`);
}

/**
 * A decoy for each cap on open messages. Decoys limit nothing (the caps on requests do) but cost the same work, so that
 * response times reveal nothing (S2, S108).
 */
export function codeDecoys(subject: string): WindowCaps {
  const bucket = `codes|nothing|${subject}`;
  return {
    own: [
      { bucket: `${bucket}|number|10-minutes`, most: UNLIMITED, lengthMs: 10 * MINUTE },
      { bucket: `${bucket}|number|day`, most: UNLIMITED, lengthMs: DAY },
      { bucket: `${bucket}|policies`, most: UNLIMITED, lengthMs: DAY },
    ],
    shared: [{ bucket: "codes|nothing", most: UNLIMITED, lengthMs: HOUR }],
  };
}

/** A cap on ten minutes and a cap on a day. */
function shortAndDaily(limits: Limits, kind: "open" | "known", metric: CapName, bucket: string): WindowCap[] {
  const { tenMinutes, day } = LIMITS[kind];
  return [
    withMetric(metric, { bucket: `${bucket}|10-minutes`, most: limits[tenMinutes], lengthMs: 10 * MINUTE }),
    withMetric(metric, { bucket: `${bucket}|day`, most: limits[day], lengthMs: DAY }),
  ];
}
