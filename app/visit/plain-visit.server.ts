import { parseCookie } from "cookie";
import { asLanguage, DEFAULT_LANGUAGE, type Language } from "~/i18n/languages";
import { cookieName, hostPrefixed } from "./cookies.server";

/** A visit of which we know all that shapes a signed-out screen, from its cookies alone. */
export interface PlainVisit {
  readonly language: Language;
  readonly consent: boolean;
  /** Whether the backend must still give this browser its cookie. */
  readonly isFirst: boolean;
}

const PLAIN_COOKIES = {
  consent: cookieName("consent"),
  flow: cookieName("flow"),
  language: cookieName("language"),
  session: hostPrefixed("session"),
  browser: hostPrefixed("browser"),
};

/** Reads a visit from a Cookie header; nothing if there is a session or a flow, or a notice to be shown. */
export function readPlainVisit(cookieHeader: string | undefined): PlainVisit | undefined {
  const cookies = parseCookie(cookieHeader ?? "");
  const { consent, flow, language, session, browser } = PLAIN_COOKIES;
  // w3m still sends a cookie, empty, for a second after it was removed.
  if (cookies[session] || cookies[flow]) return undefined;
  return {
    language: asLanguage(cookies[language]) ?? DEFAULT_LANGUAGE,
    consent: cookies[consent] !== undefined,
    isFirst: cookies[consent] !== undefined && !cookies[browser],
  };
}
