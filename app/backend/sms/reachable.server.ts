const POLAND = "+48";
/** A Polish number of nine digits, except premium-rate and toll-free ones (70x, 80x). */
const POLISH = /^\+48(?![78]0)\d{9}$/;
/** E.164: at most 15 digits. */
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/** Whether messages may be sent to this number. `prefixes` lists the allowed countries, by default only Poland (S29). */
export function isReachable(phone: string, prefixes: readonly string[]): boolean {
  if (phone.startsWith(POLAND)) return prefixes.includes(POLAND) && POLISH.test(phone);
  return INTERNATIONAL.test(phone) && prefixes.some((prefix) => phone.startsWith(prefix));
}
