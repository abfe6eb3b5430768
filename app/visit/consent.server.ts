import { readCookie } from "./cookies.server";
import { redirectTo, type Redirect } from "./redirect.server";

/** The query by which the consent screen knows that the browser keeps no cookies. */
export const COOKIES_BLOCKED = "blocked";
/** The same in addresses that an earlier release gave out. */
const COOKIES_BLOCKED_BEFORE = "blokada";

/**
 * What machines ask for, and files: nobody is there who could consent (docs/screens.md, "Who may see what"). And the
 * choice of a language: a visitor who is asked for consent must be able to read the question.
 */
const PATHS_WITHOUT_CONSENT =
  /^\/(demo|\.well-known|assets|documents|language)\/|^\/(healthz|readyz)$|\.(ico|js|css|map|pdf|png|svg|txt)$/;

/** Whether cookies have been accepted (specification §4, Startup). */
export function hasConsent(request: Request): boolean {
  return readCookie(request, "consent") !== undefined;
}

/** Whether an address is answered without consent, also when there is nothing there. */
export function needsNoConsent(request: Request): boolean {
  return PATHS_WITHOUT_CONSENT.test(new URL(request.url).pathname);
}

/**
 * To the consent screen. A visitor who comes from there without the cookie has a browser that keeps none, and is told
 * so: the request that follows the consent carries that screen's address as its Referer.
 */
export function redirectToConsent(request: Request): Redirect {
  const referer = request.headers.get("Referer") ?? "";
  const justAccepted = URL.canParse(referer) && new URL(referer).pathname === "/home/cookies";
  return redirectTo(request, justAccepted ? `/home/cookies?${COOKIES_BLOCKED}` : "/home/cookies");
}

/** Whether the consent screen has to say that the browser keeps no cookies. */
export function areCookiesBlocked(request: Request): boolean {
  const { searchParams } = new URL(request.url);
  const isSaid = searchParams.has(COOKIES_BLOCKED) || searchParams.has(COOKIES_BLOCKED_BEFORE);
  return isSaid && !hasConsent(request);
}
