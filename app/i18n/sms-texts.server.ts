import { textsIn } from "./texts.server";

/** A browser takes the last digits of a message for its code, and so may a person: no others may look like one. */
const LIKE_A_CODE = /\d{6}/;

/**
 * The words of each SMS, in Polish, for the backend: what the code is for, and the code. Where the portal's host is
 * known, the last line binds the code to it, and browsers fill it in there only (WICG, origin-bound one-time codes).
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
