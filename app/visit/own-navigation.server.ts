/**
 * Whether a GET is a person's own step in the portal, not another site's doing nor a browser's guess at the next page.
 * Text browsers send none of these headers and count as persons.
 */
export function isOwnNavigation(request: Request): boolean {
  if (isGuess(request)) return false;
  const { headers } = request;
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = headers.get("Referer");
  return referer === null || (URL.canParse(referer) && new URL(referer).host === headers.get("Host"));
}

/** Whether a GET is only a browser's guess at the next page, which nobody has asked for yet. */
export function isGuess({ headers }: Request): boolean {
  const purpose = headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? headers.get("X-Moz") ?? "";
  return /prefetch|preview|prerender/i.test(purpose);
}
