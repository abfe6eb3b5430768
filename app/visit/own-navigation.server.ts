/**
 * Whether a visitor navigated here themselves, rather than another site or a prefetch. Text browsers send none of these
 * headers and count as visitors.
 */
export function isOwnNavigation(request: Request): boolean {
  if (isGuess(request)) return false;
  const { headers } = request;
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = headers.get("Referer");
  return referer === null || (URL.canParse(referer) && new URL(referer).host === headers.get("Host"));
}

/** Whether a GET is a prefetch: the browser's guess at the next page. */
export function isGuess({ headers }: Request): boolean {
  const purpose = headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? headers.get("X-Moz") ?? "";
  return /prefetch|preview|prerender/i.test(purpose);
}
