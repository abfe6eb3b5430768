import { readPlainLine } from "~/contract/announcements.server";

/** How many characters a reason has. */
export const REASON_LENGTH = { min: 3, max: 200 } as const;
/** A PESEL, which the audit must not hold, or most of an account number. */
const ELEVEN_DIGITS = /\d{11}/;

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
