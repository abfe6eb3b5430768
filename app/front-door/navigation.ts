import type { IncomingHttpHeaders } from "node:http";

/** Headers by which browsers say that they load a page ahead of time: the standard one, and older ones. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;
const GUESS = /prefetch|preview|prerender/i;

/** Whether the browser loads a page ahead of time, guessing that somebody will open it. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return PURPOSES.some((name) => GUESS.test(String(headers[name] ?? "")));
}

/**
 * Whether a read is made for somebody who opens a page: by following a link, or by our own script that fetches a
 * page. HEAD requests, images, frames and other sites' scripts are not (S111). Text browsers and tools send
 * none of these headers, and count as navigations.
 */
export function isNavigation(method: string, headers: IncomingHttpHeaders): boolean {
  if (method === "HEAD") return false;
  const destination = headers["sec-fetch-dest"] ?? "document";
  const site = headers["sec-fetch-site"] ?? "same-origin";
  return destination === "document" || (destination === "empty" && site === "same-origin");
}
