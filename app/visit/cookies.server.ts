import { parseCookie, stringifySetCookie } from "cookie";
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
