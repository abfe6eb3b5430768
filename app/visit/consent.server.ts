import { readCookie } from "./cookies.server";
import { redirectTo, type Redirect } from "./redirect.server";

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
