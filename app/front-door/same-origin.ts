import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a write comes from our own pages, as far as its headers tell (S49; backend contract, "Cross-site writes").
 * An Origin must equal ours exactly, including the scheme; `null` never does. Without one (text browsers, curl, another
 * portal), neither Sec-Fetch-Site nor Referer may name another site.
 * @param origin the public origin, or `http://` and the Host if none is configured
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
