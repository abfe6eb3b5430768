import type { Caller } from "../../caller.server";
import { DAY, HOUR, MINUTE } from "../../clock.server";
import type { Parts } from "../../parts.server";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import { addressBucket } from "../counting/addresses.server";
import type { WindowCap } from "../counting/windows.server";

/**
 * Caps on asking, the same for what belongs to somebody and to nobody: for the address, and for what was typed, where
 * that is all that is known of the visitor (S7, S28).
 */
export function capsOfAsking({ limits }: Parts, caller: Caller, typed: string | undefined): WindowCap[] {
  const perAddress = {
    bucket: `codes|address|${addressBucket(caller.address)}`,
    most: limits.ADDRESS_CODES_PER_10_MINUTES,
    lengthMs: 10 * MINUTE,
  };
  if (typed === undefined) return [perAddress];
  return [
    perAddress,
    ...perTenMinutesAndDay(`codes|typed|${typed}`, limits.SMS_OPEN_PER_10_MINUTES, limits.SMS_OPEN_PER_DAY),
  ];
}

/** Caps on sending: for one phone number, and then for all together, which only counts what is really sent (S27). */
export function capsOfSending(
  { limits, keyring }: Parts,
  phone: string,
  isKnownVisitor: boolean,
): WindowCap[] {
  const [perTenMinutes, perDay] = isKnownVisitor
    ? [limits.SMS_KNOWN_PER_10_MINUTES, limits.SMS_KNOWN_PER_DAY]
    : [limits.SMS_OPEN_PER_10_MINUTES, limits.SMS_OPEN_PER_DAY];
  const bucket = `codes|phone|${isKnownVisitor ? "known" : "open"}|${steadyIndex(keyring, "phone", phone)}`;
  return [
    ...perTenMinutesAndDay(bucket, perTenMinutes, perDay),
    { bucket: "codes|all", most: limits.SMS_TOTAL_PER_HOUR, lengthMs: HOUR },
  ];
}

function perTenMinutesAndDay(bucket: string, perTenMinutes: number, perDay: number): WindowCap[] {
  return [
    { bucket: `${bucket}|10-minutes`, most: perTenMinutes, lengthMs: 10 * MINUTE },
    { bucket: `${bucket}|day`, most: perDay, lengthMs: DAY },
  ];
}
