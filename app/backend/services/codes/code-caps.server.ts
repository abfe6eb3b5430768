import type { Limits } from "~/platform/config/limits";
import { addressBucket } from "~/platform/network/address-bucket";
import type { Caller } from "../../caller.server";
import { DAY, HOUR, MINUTE } from "../../clock.server";
import type { Dependencies } from "../../dependencies.server";
import { steadyIndex, tokenHash } from "../../secrets/keyring.server";
import type { Recipient } from "../accounts/customers.server";
import { UNLIMITED, counted, hourlyBudget, type CapName } from "../counting/message-caps.server";
import type { WindowCap, WindowCaps } from "../counting/windows.server";
import type { Session } from "../sign-in/sessions.server";

/**
 * What a message is counted with. No purse ever pays for another (S106, S107).
 * - `open`: a signed-out visitor, with a keyed hash of the details they claim, whether or not these match a customer
 *   (S7)
 * - `known`: after a right password, or in a session
 * - `browser`: a known browser, signed in or not
 */
export type Purse =
  | { readonly kind: "open"; readonly typed: string }
  | { readonly kind: "known" }
  | { readonly kind: "browser" };

/** The purse of a message in a session. */
export function purseOf({
  isKnownBrowser,
}: Pick<Session, "isKnownBrowser">): Exclude<Purse, { kind: "open" }> {
  return { kind: isKnownBrowser ? "browser" : "known" };
}

/** The purse of a message that a signed-out visitor asks for, with the details they claim. */
export function purseOfVisitor({ isKnownBrowser }: Pick<Session, "isKnownBrowser">, typed: string): Purse {
  return isKnownBrowser ? { kind: "browser" } : { kind: "open", typed };
}

/**
 * Caps on requests: per address (shared), and for unknown visitors per claimed details, whether or not these match a
 * customer (S7, S28). Known browsers aren't counted by address, because others may share it (S107).
 */
export function requestCaps({ limits }: Dependencies, caller: Caller, purse: Purse): WindowCaps {
  if (purse.kind === "browser") return { own: [], shared: [] };
  const perAddress = counted("address", {
    bucket: `codes|address|${addressBucket(caller.address)}`,
    most: limits.ADDRESS_CODES_PER_10_MINUTES,
    lengthMs: 10 * MINUTE,
  });
  return { own: purse.kind === "open" ? typedCaps(limits, purse.typed) : [], shared: [perAddress] };
}

/** Caps on requests of signed-out visitors who claim these details, given as a keyed hash. */
export function typedCaps(limits: Limits, typed: string): WindowCap[] {
  const { SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY } = limits;
  return perTenMinutesAndDay("policy", `codes|typed|${typed}`, SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY);
}

/**
 * Caps on sending: per phone number or known browser, per policyholder, and (shared) the budget for all (S27, S28,
 * S106). They count only messages that are really sent. Number and policyholder count separately: policyholders can
 * share a number, and can change it.
 */
export function sendingCaps(
  deps: Dependencies,
  { browser }: Caller,
  purse: Purse,
  to: Recipient,
): WindowCaps {
  const shared = [budget(deps, purse.kind === "open" ? "open" : "known")];
  const own =
    purse.kind === "browser"
      ? browserCaps(deps.limits, to.customerId, tokenHash(browser))
      : numberCaps(deps, purse.kind, to);
  return { own, shared };
}

/** The caps on sending to a policyholder's number and for their policies, of one purse. */
export function numberCaps(
  { limits, keyring }: Pick<Dependencies, "limits" | "keyring">,
  purse: "open" | "known",
  { customerId, phone }: Recipient,
): WindowCap[] {
  const number = `codes|phone|${purse}|${steadyIndex(keyring, "phone", phone)}`;
  const policies = `codes|policies|${purse}|${customerId}`;
  switch (purse) {
    case "open":
      return [
        ...perTenMinutesAndDay("number", number, limits.SMS_OPEN_PER_10_MINUTES, limits.SMS_OPEN_PER_DAY),
        perDay("policy", policies, limits.SMS_POLICIES_OPEN_PER_DAY),
      ];
    case "known":
      return [
        ...perTenMinutesAndDay("number", number, limits.SMS_KNOWN_PER_10_MINUTES, limits.SMS_KNOWN_PER_DAY),
        perDay("policy", policies, limits.SMS_POLICIES_KNOWN_PER_DAY),
      ];
  }
}

/** The caps on sending to a policyholder in one of their known browsers, given as the hash of its token. */
export function browserCaps(limits: Limits, customerId: string, browserHash: string): WindowCap[] {
  const bucket = `codes|browser|${customerId}|${browserHash}`;
  const { SMS_KNOWN_PER_10_MINUTES, SMS_KNOWN_PER_DAY } = limits;
  return perTenMinutesAndDay("number", bucket, SMS_KNOWN_PER_10_MINUTES, SMS_KNOWN_PER_DAY);
}

/**
 * One stand-in for each cap on open messages, for messages that nobody gets. They limit nothing (the caps on requests
 * do) but cost the same work, so that response times reveal nothing (S2, S108).
 */
export function standInCaps(subject: string): WindowCaps {
  const bucket = `codes|nothing|${subject}`;
  return {
    own: [
      ...perTenMinutesAndDay("number", `${bucket}|number`, UNLIMITED, UNLIMITED),
      perDay("policy", `${bucket}|policies`, UNLIMITED),
    ],
    shared: [{ bucket: "codes|nothing", most: UNLIMITED, lengthMs: HOUR }],
  };
}

/**
 * The messages that all numbers together may get in an hour: one budget for signed-out visitors, one for others (S106).
 */
function budget(deps: Dependencies, who: "open" | "known"): WindowCap {
  const { SMS_OPEN_TOTAL_PER_HOUR, SMS_KNOWN_TOTAL_PER_HOUR } = deps.limits;
  const most = who === "open" ? SMS_OPEN_TOTAL_PER_HOUR : SMS_KNOWN_TOTAL_PER_HOUR;
  return hourlyBudget(deps, who, { bucket: `codes|all|${who}`, most });
}

function perDay(which: CapName, bucket: string, most: number): WindowCap {
  return counted(which, { bucket, most, lengthMs: DAY });
}

function perTenMinutesAndDay(
  which: CapName,
  bucket: string,
  mostInTenMinutes: number,
  mostInDay: number,
): WindowCap[] {
  const inTenMinutes = { bucket: `${bucket}|10-minutes`, most: mostInTenMinutes, lengthMs: 10 * MINUTE };
  return [counted(which, inTenMinutes), perDay(which, `${bucket}|day`, mostInDay)];
}
