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
