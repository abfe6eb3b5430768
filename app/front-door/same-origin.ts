import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a write may come from where it says it comes from (S49; backend contract, "Cross-site writes").
 * With an Origin, that must be ours to the letter, scheme and all; `null` is nobody's. Without one (text browsers,
 * curl, another portal) neither Sec-Fetch-Site nor Referer may name another site.
 * @param origin the public origin, or `http://` and the Host where none is configured
 */
export function isSameOriginWrite(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (headers.origin !== undefined) return headers.origin === origin;
  const { referer } = headers;
  return referer === undefined || referer === "" || originOf(referer) === origin;
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
