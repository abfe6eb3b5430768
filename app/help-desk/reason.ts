import { readPlainLine } from "~/contract/announcements.server";

/** How many characters a reason has, and so many digits in a row it must not have. */
export const REASON_LENGTH = { min: 3, max: 200, digits: 11 } as const;
/** A PESEL, which the audit must not hold, or most of an account number. */
const ELEVEN_DIGITS = new RegExp(`\\d{${REASON_LENGTH.digits}}`);

/** Reads why somebody looks at a customer, for the audit. */
export function readReason(
  typed: string,
):
  | { readonly ok: true; readonly reason: string }
  | { readonly ok: false; readonly why: "length" | "digits" } {
  const reason = readPlainLine(typed, REASON_LENGTH.max);
  if (reason === undefined || [...reason].length < REASON_LENGTH.min) return { ok: false, why: "length" };
  return ELEVEN_DIGITS.test(reason) ? { ok: false, why: "digits" } : { ok: true, reason };
}
