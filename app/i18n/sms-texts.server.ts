import { septets } from "./gsm-7";
import { textsIn } from "./texts.server";

/** A browser takes the last digits of a message for the code, and so may a person: nothing else may look like one. */
const LIKE_A_CODE = /\d{6}/;

/** A longer message costs twice as much, and may arrive in pieces. */
const ONE_SEGMENT = 160;

/**
 * The text of each SMS, in Polish, for the backend: what the code is for, and the code. If the portal's host is known,
 * the last line binds the code to it, so browsers fill it in only there (WICG, origin-bound one-time codes).
 */
export function smsTexts(brand: string) {
  const t = textsIn();
  const text =
    (purpose: "login" | "register" | "password" | "usernameChange" | "usernameRemind" | "documentPassword") =>
    ({ code, host }: { readonly code: string; readonly host: string | undefined }) => {
      const words = t(`sms:${purpose}`, { code, brand });
      const bound = host !== undefined && !LIKE_A_CODE.test(host);
      return bound ? `${words}\n\n@${host} #${code}` : words;
    };
  return {
    login: text("login"),
    register: text("register"),
    password: text("password"),
    usernameChange: text("usernameChange"),
    usernameRemind: text("usernameRemind"),
    documentPassword: text("documentPassword"),
  };
}

/**
 * A sentence for the variable that would make a message longer than one SMS, or put letters into it that GSM-7 lacks.
 * `host` is the host of the public origin.
 */
export function smsFaults(brand: string, host: string | undefined): string[] {
  const lengths = (where: string | undefined) =>
    Object.values(smsTexts(brand)).map((text) => septets(text({ code: "000000", host: where })));
  const fit = (found: readonly (number | undefined)[]) =>
    found.every((length) => length !== undefined && length <= ONE_SEGMENT);
  if (!fit(lengths(undefined)))
    return [
      "BRAND_NAME: expected a first word that keeps every text message in GSM-7 and within 160 characters",
    ];
  if (fit(lengths(host))) return [];
  return [
    "PUBLIC_ORIGIN: expected a shorter host, or a shorter BRAND_NAME: text messages have 160 characters",
  ];
}
