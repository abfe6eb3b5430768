import { addressBucket } from "~/platform/network/address-bucket";
import { counter } from "~/platform/telemetry/metric-kinds.server";
import type { Caller } from "../../caller.server";
import { DAY, HOUR, MINUTE } from "../../clock.server";
import type { Parts } from "../../parts.server";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import type { Recipient } from "../accounts/customers.server";
import type { WindowCap } from "../counting/windows.server";

/** The share of the overall cap at which a warning is logged. */
const EARLY_WARNING = 0.8;

/** What messages are limited by; `policy`: the policies of a policyholder, or the details an unknown visitor claimed. */
const CAPS = ["number", "policy", "address", "overall"] as const;
type CapName = (typeof CAPS)[number];
const capsReached = counter(
  { name: "portal_sms_caps_reached_total", help: "Messages not sent because of a cap, by cap" },
  { cap: CAPS },
);

/**
 * Caps on requests: per address, and for unknown visitors per claimed details. They are the same whether or not the
 * details match a customer (S7, S28).
 */
export function requestCaps({ limits }: Parts, caller: Caller, typed: string | undefined): WindowCap[] {
  const perAddress = counted("address", {
    bucket: `codes|address|${addressBucket(caller.address)}`,
    most: limits.ADDRESS_CODES_PER_10_MINUTES,
    lengthMs: 10 * MINUTE,
  });
  if (typed === undefined) return [perAddress];
  const [perTenMinutes, perDay] = [limits.SMS_OPEN_PER_10_MINUTES, limits.SMS_OPEN_PER_DAY];
  return [perAddress, ...perTenMinutesAndDay("policy", `codes|typed|${typed}`, perTenMinutes, perDay)];
}

/**
 * Caps on sending: per phone number, per policyholder, and overall, which counts only messages that are really sent (S27,
 * S28). Several policyholders can share a number, and a policyholder's number can change.
 */
export function sendingCaps(
  parts: Parts,
  { phone, customerId }: Recipient,
  isKnownVisitor: boolean,
): WindowCap[] {
  const { limits, keyring } = parts;
  const caps = isKnownVisitor
    ? {
        perTenMinutes: limits.SMS_KNOWN_PER_10_MINUTES,
        perDay: limits.SMS_KNOWN_PER_DAY,
        policiesPerDay: limits.SMS_POLICIES_KNOWN_PER_DAY,
      }
    : {
        perTenMinutes: limits.SMS_OPEN_PER_10_MINUTES,
        perDay: limits.SMS_OPEN_PER_DAY,
        policiesPerDay: limits.SMS_POLICIES_OPEN_PER_DAY,
      };
  const who = isKnownVisitor ? "known" : "open";
  const number = `codes|phone|${who}|${steadyIndex(keyring, "phone", phone)}`;
  return [
    ...perTenMinutesAndDay("number", number, caps.perTenMinutes, caps.perDay),
    counted("policy", {
      bucket: `codes|policies|${who}|${customerId}`,
      most: caps.policiesPerDay,
      lengthMs: DAY,
    }),
    counted("overall", {
      bucket: "codes|all",
      most: limits.SMS_TOTAL_PER_HOUR,
      lengthMs: HOUR,
      onTaken: (count) => {
        watchTotal(parts, count);
      },
    }),
  ];
}

/**
 * Stand-ins for the sending caps when the details match no customer. They cost the same work, so that response times do
 * not give customers away (S2). They fill up together with the request caps.
 */
export function unknownRecipientCaps({ limits }: Parts, subject: string): WindowCap[] {
  const { SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY, SMS_POLICIES_OPEN_PER_DAY } = limits;
  const bucket = `codes|nothing|${subject}`;
  return [
    ...perTenMinutesAndDay("number", `${bucket}|number`, SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY),
    counted("policy", { bucket: `${bucket}|policies`, most: SMS_POLICIES_OPEN_PER_DAY, lengthMs: DAY }),
  ];
}

/**
 * Logs an error when the overall cap is reached, and a warning before. The count grows by one across all processes, so
 * each is logged once an hour, by the process that took that count.
 */
function watchTotal({ limits, log }: Parts, count: number): void {
  const most = limits.SMS_TOTAL_PER_HOUR;
  if (count === most) log.error({ event: "sms-total-cap-reached", most }, "sms");
  else if (count === Math.ceil(most * EARLY_WARNING))
    log.warn({ event: "sms-total-cap-near", count, most }, "sms");
}

function perTenMinutesAndDay(
  which: CapName,
  bucket: string,
  perTenMinutes: number,
  perDay: number,
): WindowCap[] {
  return [
    counted(which, { bucket: `${bucket}|10-minutes`, most: perTenMinutes, lengthMs: 10 * MINUTE }),
    counted(which, { bucket: `${bucket}|day`, most: perDay, lengthMs: DAY }),
  ];
}

/** A cap whose refusals are counted in the metrics: many of them suggest SMS pumping or harassment (S27). */
function counted(which: CapName, cap: WindowCap): WindowCap {
  return {
    ...cap,
    onFull: () => {
      capsReached.inc({ cap: which });
    },
  };
}
