import { redirectTo, type Redirect } from "./redirect.server";
import { parseCookie, stringifySetCookie } from "cookie";
import { RemixI18Next } from "remix-i18next/server";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, asLanguage } from "~/i18n/languages";
import { type Translate, textsIn } from "~/i18n/texts.server";
import { environment } from "~/platform/config/environment.server";

/** The portal's own cookies, in one table. (The backend owns `session`, `browser` and `trusted-device`.) */
const PORTAL_COOKIES = {
  /** The visitor accepted cookies; only its presence counts (specification §4). */
  consent: { name: "accepted-cookies", prefixed: false, lifetime: "COOKIE_CONSENT_SECONDS" },
  /** What a flow remembers between its screens, sealed. */
  flow: { name: "flow", prefixed: true, lifetime: "FLOW_SECONDS" },
  /** The language chosen in the footer. Without a lifetime, so it ends with the visit. */
  language: { name: "language", prefixed: true, lifetime: undefined },
} as const;

/** One of the portal's cookies, by its role. */
export type PortalCookie = keyof typeof PORTAL_COOKIES;

/** Whether customers reach the portal over https; then cookies are Secure and carry `__Host-` (S53). */
export function isSecureOrigin(): boolean {
  return environment().PUBLIC_ORIGIN?.startsWith("https:") ?? false;
}

/** A cookie's name in the browser. */
export function cookieName(cookie: PortalCookie): string {
  const { name, prefixed } = PORTAL_COOKIES[cookie];
  return prefixed ? hostPrefixed(name) : name;
}

/** A name with the `__Host-` prefix, if the public origin allows it (RFC 6265bis §4.1.3). */
export function hostPrefixed(name: string): string {
  return isSecureOrigin() ? `__Host-${name}` : name;
}

/** Names of cookies that never go to a backend or come from one. */
export function portalCookieNames(): readonly string[] {
  return [cookieName("consent"), cookieName("flow"), cookieName("language")];
}

/** The value the browser sent, if any. */
export function readCookie(request: Request, cookie: PortalCookie): string | undefined {
  return parseCookie(request.headers.get("Cookie") ?? "")[cookieName(cookie)];
}

/**
 * Adds a cookie, with its lifetime, to the `Set-Cookie` lines of an answer; without a value, removes it. The last line
 * for a cookie counts.
 */
export function setCookie(setCookies: string[], cookie: PortalCookie, value: string | undefined): void {
  const name = cookieName(cookie);
  const maxAge = value === undefined ? 0 : lifetimeOf(cookie);
  const earlier = setCookies.findIndex((line) => line.startsWith(`${name}=`));
  if (earlier >= 0) setCookies.splice(earlier, 1);
  setCookies.push(
    stringifySetCookie(name, value ?? "", { ...cookieAttributes(), ...(maxAge !== undefined && { maxAge }) }),
  );
}

/** In seconds; undefined for a cookie that the browser forgets at the end of the visit. */
function lifetimeOf(cookie: PortalCookie): number | undefined {
  const { lifetime } = PORTAL_COOKIES[cookie];
  return lifetime && environment().limits[lifetime];
}

/** A `Set-Cookie` line that removes the backend's session cookie when the backend could not. */
export function expiredSessionLine(): string {
  return stringifySetCookie(hostPrefixed("session"), "", { ...cookieAttributes(), maxAge: 0 });
}

function cookieAttributes() {
  return { path: "/", httpOnly: true, sameSite: "lax", secure: isSecureOrigin() } as const;
}

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

// Only the choice made in the footer counts, not the browser's preference.
const languages = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: DEFAULT_LANGUAGE,
    order: ["custom"],
    findLocale: (request) => Promise.resolve(readCookie(request, "language") ?? null),
  },
});

/** The language of a request: the one chosen in the footer, or Polish. */
export async function languageOf(request: Request): Promise<Language> {
  return asLanguage(await languages.getLocale(request)) ?? DEFAULT_LANGUAGE;
}

/** The texts in a request's language. */
export async function textsFor(request: Request): Promise<Translate> {
  return textsIn(await languageOf(request));
}

/** The query that tells the consent screen that the browser keeps no cookies. */
export const COOKIES_BLOCKED = "blocked";
/** The same, in addresses of an earlier release. */
const COOKIES_BLOCKED_BEFORE = "blokada";

/**
 * Files, and addresses that machines request: there is no visitor to consent (docs/screens.md, "Who may see what").
 * Also the choice of a language, because visitors must be able to read the question.
 */
const PATHS_WITHOUT_CONSENT =
  /^\/(demo|\.well-known|assets|documents|language)\/|^\/(healthz|readyz)$|\.(ico|js|css|map|pdf|png|svg|txt)$/;

/** Whether cookies have been accepted (specification §4, Startup). */
export function hasConsent(request: Request): boolean {
  return readCookie(request, "consent") !== undefined;
}

/** Whether an address is answered without consent, even if it does not exist. */
export function needsNoConsent(request: Request): boolean {
  return PATHS_WITHOUT_CONSENT.test(new URL(request.url).pathname);
}

/**
 * Redirects to the consent screen. A visitor who comes from that screen (by the Referer) must have accepted there; as
 * the cookie is missing, their browser keeps no cookies, and the screen says so.
 */
export function redirectToConsent(request: Request): Redirect {
  const referer = request.headers.get("Referer") ?? "";
  const isFromConsent = URL.canParse(referer) && new URL(referer).pathname === "/home/cookies";
  return redirectTo(request, isFromConsent ? `/home/cookies?${COOKIES_BLOCKED}` : "/home/cookies");
}

/** Whether the consent screen should say that the browser keeps no cookies. */
export function areCookiesBlocked(request: Request): boolean {
  const { searchParams } = new URL(request.url);
  const isSaid = searchParams.has(COOKIES_BLOCKED) || searchParams.has(COOKIES_BLOCKED_BEFORE);
  return isSaid && !hasConsent(request);
}
