import { parseCookie } from "cookie";
import { asLanguage, DEFAULT_LANGUAGE, type Language } from "~/i18n/languages";
import { cookieName, hostPrefixed } from "./cookies.server";

/** A signed-out visit whose cookies alone decide what a screen looks like. */
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

/** Reads a visit from a Cookie header; undefined if there is a session, a flow, or a notice to show. */
export function readPlainVisit(cookieHeader: string | undefined): PlainVisit | undefined {
  const cookies = parseCookie(cookieHeader ?? "");
  const { consent, flow, language, session, browser } = PLAIN_COOKIES;
  // For a second after a cookie was removed, w3m still sends it, empty.
  if (cookies[session] || cookies[flow]) return undefined;
  return {
    language: asLanguage(cookies[language]) ?? DEFAULT_LANGUAGE,
    consent: cookies[consent] !== undefined,
    isFirst: cookies[consent] !== undefined && !cookies[browser],
  };
}
