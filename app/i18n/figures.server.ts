import { CODE_DIGITS, PASSWORD_LENGTH, USERNAME_LENGTH } from "~/contract/rules";
import { brand, helplinePhone } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import type { Limits } from "~/platform/config/limits";

const DAY_SECONDS = 24 * 60 * 60;

/** Figures that every text can use: from the rules, the limits in force, and the helpline's hours and numbers. */
export function figures() {
  const { limits } = environment();
  const { hours, phones } = brand();
  return {
    ...hours,
    phone1: phones[0],
    phone2: phones[1],
    phone: helplinePhone(phones),
    // The same all over the European Union (Directive (EU) 2018/1972, article 109).
    emergency: "112",
    codeDigits: CODE_DIGITS,
    passwordMin: PASSWORD_LENGTH.min,
    passwordMax: PASSWORD_LENGTH.max,
    usernameMin: USERNAME_LENGTH.min,
    usernameMax: USERNAME_LENGTH.max,
    usernameChanges: limits.USERNAME_CHANGES,
    usernameChangeDays: limits.USERNAME_CHANGE_DAYS,
    trustedDays: limits.TRUSTED_DEVICE_DAYS,
    cookieDays: longestCookieDays(limits),
  };
}

/** How long the cookie that lasts longest is kept, in whole days. The other cookies end with the visit. */
function longestCookieDays(limits: Limits): number {
  const { TRUSTED_DEVICE_DAYS, KNOWN_BROWSER_DAYS, COOKIE_CONSENT_SECONDS, FLOW_SECONDS } = limits;
  const days = Math.ceil(Math.max(COOKIE_CONSENT_SECONDS, FLOW_SECONDS) / DAY_SECONDS);
  return Math.max(TRUSTED_DEVICE_DAYS, KNOWN_BROWSER_DAYS, days);
}
