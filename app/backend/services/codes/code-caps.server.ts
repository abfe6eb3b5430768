import type { SmsCap } from "~/platform/metric-words";
import { metrics } from "~/platform/metrics.server";
import type { Caller } from "../../caller.server";
import { DAY, HOUR, MINUTE } from "../../clock.server";
import type { Parts } from "../../parts.server";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import type { Recipient } from "../accounts/customers.server";
import { addressBucket } from "../counting/addresses.server";
import type { WindowCap } from "../counting/windows.server";

/** The share of the cap of all at which somebody should look. */
const EARLY_WARNING = 0.8;

/**
 * Caps on asking, the same for what belongs to somebody and to nobody: for the address, and for what was typed, where
 * that is all that is known of the visitor (S7, S28).
 */
export function capsOfAsking({ limits }: Parts, caller: Caller, typed: string | undefined): WindowCap[] {
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
 * Caps on sending: for one phone number, for the policies of one holder, and then for all together, which only counts
 * what is really sent (S27, S28). A number can be on the policies of several holders, and that of a holder can change.
 */
export function capsOfSending(
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
 * What a number and policies would be counted under if nobody's data had any: the same work, so that the time of an
 * answer doesn't tell them from a customer's (S2). Full when those of asking are.
 */
export function capsOfSendingNothing({ limits }: Parts, subject: string): WindowCap[] {
  const { SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY, SMS_POLICIES_OPEN_PER_DAY } = limits;
  const bucket = `codes|nothing|${subject}`;
  return [
    ...perTenMinutesAndDay("number", `${bucket}|number`, SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY),
    counted("policy", { bucket: `${bucket}|policies`, most: SMS_POLICIES_OPEN_PER_DAY, lengthMs: DAY }),
  ];
}

/**
 * An alarm when the cap of all is reached, and a warning before. Counts grow one by one, over all processes: each is
 * said once an hour, by whoever took that one.
 */
function watchTotal({ limits, log }: Parts, count: number): void {
  const most = limits.SMS_TOTAL_PER_HOUR;
  if (count === most) log.error({ event: "sms-total-cap-reached", most }, "sms");
  else if (count === Math.ceil(most * EARLY_WARNING))
    log.warn({ event: "sms-total-cap-near", count, most }, "sms");
}

function perTenMinutesAndDay(
  which: SmsCap,
  bucket: string,
  perTenMinutes: number,
  perDay: number,
): WindowCap[] {
  return [
    counted(which, { bucket: `${bucket}|10-minutes`, most: perTenMinutes, lengthMs: 10 * MINUTE }),
    counted(which, { bucket: `${bucket}|day`, most: perDay, lengthMs: DAY }),
  ];
}

/** A cap whose refusals the metrics count: many of them are what pumping or pestering looks like (S27). */
function counted(which: SmsCap, cap: WindowCap): WindowCap {
  return {
    ...cap,
    onFull: () => {
      metrics().smsCapsReached.inc({ cap: which });
    },
  };
}
