import type { FrontDoorRules } from "./policy";
import type { RequestTarget } from "./request-target";

const WELL_FORMED = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Load balancers request these by IP address, so any Host will do. They only answer up or down. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Stands for the Host of a health check without one. */
const NO_HOST = "localhost";

/**
 * The request's Host, in lower case; undefined if it is missing, given twice, malformed, not ours, or differs from the
 * one in the target (S59, RFC 9112 §3.2).
 */
export function requestHost(
  target: RequestTarget,
  rawHeaders: readonly string[],
  rules: FrontDoorRules,
): string | undefined {
  const host = singleHostHeader(rawHeaders)?.toLowerCase();
  // A simple load balancer speaks HTTP/1.0, which needs no Host.
  if (host === undefined && !hasHostHeader(rawHeaders) && HEALTH_PATHS.has(target.path)) return NO_HOST;
  if (host === undefined || (target.authority !== undefined && target.authority !== host)) return undefined;
  const ours = target.area === "api" ? rules.apiHosts : rules.pageHosts;
  if (ours?.has(host)) return host;
  if (ours && !HEALTH_PATHS.has(target.path)) return undefined;
  return WELL_FORMED.test(host) && URL.canParse(`http://${host}/`) ? host : undefined;
}

function hasHostHeader(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
}

/** The value of the only Host line. Node keeps the first of two, so we count the raw lines. */
function singleHostHeader(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== "host") continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[at + 1];
  }
  return found;
}
