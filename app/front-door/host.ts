import type { FrontDoorRules } from "./policy";
import type { RequestTarget } from "./request-target";

const WELL_FORMED = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Asked for by load balancers, which know a machine by its address only; these two answer up or down, and no more. */
const ASKED_BY_ADDRESS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/**
 * The Host that a request is for, in lower case; undefined when it names none, two, something that is no host, one
 * that is not ours, or another one in its target (S59, RFC 9112 §3.2).
 */
export function requestHost(
  target: RequestTarget,
  rawHeaders: readonly string[],
  rules: FrontDoorRules,
): string | undefined {
  const host = singleHostHeader(rawHeaders)?.toLowerCase();
  if (host === undefined || (target.authority !== undefined && target.authority !== host)) return undefined;
  const ours = target.area === "api" ? rules.apiHosts : rules.pageHosts;
  if (ours?.has(host)) return host;
  if (ours && !ASKED_BY_ADDRESS.has(target.path)) return undefined;
  return WELL_FORMED.test(host) && URL.canParse(`http://${host}/`) ? host : undefined;
}

/** The value of the one Host line. Node keeps the first of two, so the raw lines are counted. */
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
