import { data, redirect, type TypedResponse } from "@remix-run/node";
import { parseCookie, stringifySetCookie } from "cookie";
import { RemixI18Next } from "remix-i18next/server";
import Bowser from "bowser";
import { type Wait, waitHead } from "~/contract/refusal.server";
import { textsIn, type Translate } from "~/i18n/texts.server";
import { waitPageTexts } from "~/i18n/wait-text.server";
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from "~/i18n/languages";
import { environment } from "~/platform/config/environment.server";
import { BodyTooLong, readUpTo } from "~/platform/files/read-up-to.server";
import { MOST_DEVICE_NAME } from "~/contract/rules";

/** A redirect. Its type carries no data, so that a screen's action data can only be its refused form. */
export type Redirect = TypedResponse<never>;

/** Makes a redirect. After a POST the browser continues with a GET (POST–redirect–GET). */
export function redirectTo(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/** The answer if the backend asks to wait. The page says how long, and the visitor stays signed in. */
export function waitResponse(t: Translate, wait: Wait) {
  return data(waitPageTexts(t, wait), waitHead(wait));
}

/** Only for parsing addresses; nothing is ever sent there. */
const HERE = "http://portal.invalid";

/**
 * An address within the portal, safe to use in a `Location`; undefined for anything that could lead elsewhere (S58).
 * Browsers take `//host`, `/\host` and `/<tab>/host` for other sites, so the address is parsed as they parse it.
 */
export function localPath(typed: string | null): string | undefined {
  if (!typed?.startsWith("/") || !URL.canParse(typed, HERE)) return undefined;
  const { origin, pathname, search } = new URL(typed, HERE);
  // By now "/.//host" has become "//host".
  return origin === HERE && !pathname.startsWith("//") ? pathname + search : undefined;
}

/**
 * Whether visitors came here by themselves, not sent by another site. Text browsers send none of these headers, and
 * count as coming by themselves.
 */
export function isOwnNavigation({ headers }: Request): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = headers.get("Referer");
  return referer === null || (URL.canParse(referer) && new URL(referer).host === headers.get("Host"));
}

/** The portal's own cookies, in one table. (The backend owns `session`, `browser` and `trusted-device…`.) */
const PORTAL_COOKIES = {
  /** The visitor accepted cookies; only its presence counts (specification §4). */
  consent: { name: "accepted-cookies", prefixed: false, lifetime: "COOKIE_CONSENT_SECONDS" },
  /** The memory of a flow between its screens, sealed. */
  flow: { name: "flow", prefixed: true, lifetime: "FLOW_SECONDS" },
  /** The language chosen in the footer. Without a lifetime, so it ends with the visit. */
  language: { name: "language", prefixed: true, lifetime: undefined },
  /** Up to which moment each account's news are answered in this browser, sealed. */
  news: { name: "news-seen", prefixed: true, lifetime: "NEWS_SEEN_SECONDS" },
  /** Accounts that have used a passkey here, or declined the offer: they are offered none for a while. */
  passkeys: { name: "passkeys", prefixed: true, lifetime: "PASSKEY_OFFER_SECONDS" },
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
  return (Object.keys(PORTAL_COOKIES) as PortalCookie[]).map(cookieName);
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

/** The language of a request: as chosen in the footer, or Polish. */
export async function languageOf(request: Request): Promise<Language> {
  return asLanguage(await languages.getLocale(request)) ?? DEFAULT_LANGUAGE;
}

/** The texts in a request's language. */
export async function textsFor(request: Request): Promise<Translate> {
  return textsIn(await languageOf(request));
}

/** The query parameter that tells the consent screen that the browser keeps no cookies. */
export const COOKIES_BLOCKED = "blocked";

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
  return new URL(request.url).searchParams.has(COOKIES_BLOCKED) && !hasConsent(request);
}

/** The query parameter of a screen that has just changed its language, and says what must be typed again (F17). */
export const IN_OTHER_LANGUAGE = "language";

/** The language with this code, if we have it. */
export function asLanguage(name: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** How many characters of a User-Agent are read. Real ones are shorter, and a long one would be slow to parse. */
const MOST_READ = 512;
const UNKNOWN = ["common:device.unknownBrowser", "common:device.unknownOs"] as const;
/** The space before a version: "Firefox 140", "iOS 17.6". */
const VERSION = / (?=\d[\d.]*(,|$))/g;
/**
 * The versions that newer systems claim, at the end of a name. Windows 11 says 10 in every browser; any macOS says 10.15, in
 * Safari, Chrome and Firefox; any Android says 10 in Chrome and its relatives, with "K" as its model, and in Firefox
 * where it is older; iOS 26 says 18.6 or 18.7. Linux and Chrome OS have no version in names.
 */
const FROZEN = /(?<=\bWindows|\bAndroid) 10$|(?<=\bmacOS) .+$|(?<=\biOS) 18\.[67]$/;
const KNOWN: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP));

/**
 * A readable name of the visitor's device from the User-Agent, such as "Firefox 128, Windows"; at most 100
 * characters (backend contract). Unknown parts are in the visitor's language.
 */
export async function deviceName(request: Request): Promise<string> {
  const userAgent = (request.headers.get("User-Agent") ?? "").slice(0, MOST_READ);
  const { browser, system } = recognise(userAgent);
  const t = await textsFor(request);
  const name = `${browser ?? t("common:device.unknownBrowser")}, ${system ?? t("common:device.unknownOs")}`;
  return [...withoutFrozenVersion(name)].slice(0, MOST_DEVICE_NAME).join("");
}

/** A device's name without a system's version that says nothing about the system. */
export function withoutFrozenVersion(name: string): string {
  return name.replace(FROZEN, "");
}

/**
 * A device's name as shown: translates the texts for unknown parts, which may be in another language, and keeps a
 * version on the same line as its name. Names that were stored earlier may have a frozen version.
 */
export function readableDeviceName(t: Translate, name: string): string {
  if (name.trim() === "") return t("common:device.unknown");
  return LANGUAGES.map(textsIn).reduce(
    (read, said) => UNKNOWN.reduce((text, key) => text.replace(said(key), t(key)), read),
    withoutFrozenVersion(name.trimEnd()).replace(VERSION, "\u00A0"),
  );
}

/** The parts of a User-Agent that are known. */
interface Recognised {
  readonly browser?: string;
  readonly system?: string;
}

function recognise(userAgent: string): Recognised {
  if (userAgent === "") return {};
  const { browser, os } = Bowser.parse(userAgent);
  const system = [os.name, os.versionName ?? os.version].filter(Boolean).join(" ");
  const version = browser.version?.split(".")[0];
  return {
    // For an unknown browser, Bowser returns raw text from the header.
    ...(KNOWN.has(browser.name) && { browser: [browser.name, version].filter(Boolean).join(" ") }),
    ...(system && { system }),
  };
}

/**
 * The fields of a posted form. The body is read up to its limit, whatever the head said.
 * @throws Response 413 when it is longer
 */
export async function readPosted({ body }: Request, mostBytes: number): Promise<URLSearchParams> {
  try {
    // A reader that stops early must not end the connection before the answer.
    const chunks = body?.values({ preventCancel: true }) ?? [];
    return new URLSearchParams(new TextDecoder().decode(await readUpTo(mostBytes, chunks)));
  } catch (error) {
    if (!(error instanceof BodyTooLong)) throw error;
    throw new Response(null, { status: 413 });
  }
}
