import type { IncomingHttpHeaders } from "node:http";

/** How browsers say that they load a page before anybody asked for it: the standard's header, and older ones. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;
const GUESS = /prefetch|preview|prerender/i;

/** Whether a browser only guesses that somebody will go to this page. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return PURPOSES.some((name) => GUESS.test(String(headers[name] ?? "")));
}

/**
 * Whether a read is made for somebody who goes to a page: by following a link, or by our own script that fetches a screen's
 * data for them. HEAD, images, frames and scripts of other sites are not (S111). Text browsers and tools send none of
 * these headers and count as somebody.
 */
export function isNavigation(method: string, headers: IncomingHttpHeaders): boolean {
  if (method === "HEAD") return false;
  const destination = headers["sec-fetch-dest"] ?? "document";
  const site = headers["sec-fetch-site"] ?? "same-origin";
  return destination === "document" || (destination === "empty" && site === "same-origin");
}
