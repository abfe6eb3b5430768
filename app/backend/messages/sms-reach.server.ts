const POLAND = "+48";
/** A Polish number of nine digits, except premium-rate and toll-free ones (70x, 80x). */
const POLISH = /^\+48(?![78]0)\d{9}$/;
/** E.164: at most 15 digits. */
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/** Polish mobile numbers, by the national numbering plan. */
const POLISH_MOBILE = /^\+48(45|5[0137]|6[069]|7[2389]|88)/;

/**
 * Whether messages are sent to a number, and why not. `landline`: they are, but few landlines can receive one.
 * `country`: its country is not in `SMS_PREFIXES`. `no-sms`: it is premium-rate, toll-free or no number.
 */
export type SmsReach = "mobile" | "landline" | "country" | "no-sms";

/** Says whether messages are sent to this number. `prefixes` lists the allowed countries, by default only Poland (S29). */
export function smsReach(phone: string, prefixes: readonly string[]): SmsReach {
  if (!INTERNATIONAL.test(phone)) return "no-sms";
  if (!phone.startsWith(POLAND))
    return prefixes.some((prefix) => phone.startsWith(prefix)) ? "mobile" : "country";
  if (!prefixes.includes(POLAND)) return "country";
  if (!POLISH.test(phone)) return "no-sms";
  return POLISH_MOBILE.test(phone) ? "mobile" : "landline";
}

/** Whether messages may be sent to this number. */
export function isReachable(phone: string, prefixes: readonly string[]): boolean {
  const reach = smsReach(phone, prefixes);
  return reach === "mobile" || reach === "landline";
}
