import type { IncomingHttpHeaders } from "node:http";
import { earlierPageOf, type EarlierPage } from "./earlier-page";
import { requestHost } from "./host";
import { isNavigation, isPrefetch } from "./navigation";
import type { FrontDoorRules } from "./policy";
import type { RejectionReason, RejectionStatus } from "./rejection";
import { bodyProblem } from "./request-body";
import { asksForRouteData, hasMoreSegments, isApiAddress, readTarget, type Area } from "./request-target";
import { isSameOriginWrite } from "./same-origin";

/** What we know about a request before its body: `node:http`'s own fields. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
}

/** The request goes on to the app; `target` replaces an absolute target. */
export interface Pass {
  readonly kind: "pass";
  readonly target?: string;
  /** Not a navigation: we ignore its cookies and set none, as if we didn't know the visitor (S111). */
  readonly asStranger?: boolean;
}

/** The request stops here; the answer is a page, or JSON under the API. */
export interface Rejection {
  readonly kind: "rejected";
  readonly status: RejectionStatus;
  readonly reason: RejectionReason;
  readonly api: boolean;
  /** With a 405: the allowed methods. */
  readonly allow?: string;
  /** Set if a page of the release before asks. */
  readonly earlierPage?: EarlierPage;
}

export type Decision = Pass | Rejection;

const PASS: Pass = { kind: "pass" };
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** S61; the API adds PUT and DELETE, because its contract lists them. */
const METHODS: Readonly<Record<Area, { readonly known: ReadonlySet<string>; readonly allow: string }>> = {
  pages: { known: new Set(["GET", "HEAD", "POST"]), allow: "GET, HEAD, POST" },
  api: { known: new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]), allow: "GET, HEAD, POST, PUT, DELETE" },
};

/**
 * Decides on a request by its head alone. Pure: it reads nothing else and changes nothing. The target comes first,
 * because every later rule depends on it. The order: the target's syntax and size, Host, method, then a write's origin,
 * then its body. OPTIONS is a method like any other, because there is no CORS to negotiate (S57).
 */
export function decide(head: RequestHead, rules: FrontDoorRules): Decision {
  const { method = "", url = "", headers } = head;
  const target = readTarget(url);
  // `OPTIONS *` asks about the server as a whole, so it is the method we reject.
  if (!target) return url === "*" ? wrongMethod("pages") : reject(400, "target", isApiAddress(url));
  const { area } = target;
  if (url.length > rules.addressCharacters) return reject(414, "too-long", area === "api");
  if (hasMoreSegments(target.path, rules.addressSegments)) return reject(404, "too-deep", area === "api");
  const host = requestHost(target, head.rawHeaders, rules);
  if (host === undefined) return reject(400, "host", area === "api");
  if (!METHODS[area].known.has(method)) return wrongMethod(area);
  if (asksForRouteData(target)) {
    const earlierPage = earlierPageOf(target, method);
    return { ...reject(404, "route-data", area === "api"), ...(earlierPage && { earlierPage }) };
  }
  const writes = !READS.has(method);
  if (writes && !isSameOriginWrite(headers, rules.publicOrigin ?? httpOrigin(host))) {
    return reject(403, "cross-site", area === "api");
  }
  const problem = bodyProblem(headers, writes, area, rules);
  if (problem) return reject(problem.status, problem.reason, area === "api");
  // Refuse a prefetch. The browser may show its answer later, so it can't be a stranger's page; and the customer's own
  // page would have side effects.
  if (isPrefetch(headers)) return reject(403, "prefetch", area === "api");
  const pass = target.authority === undefined ? PASS : { ...PASS, target: target.local };
  return writes || isNavigation(method, headers) ? pass : { ...pass, asStranger: true };
}

/** A rejection, for callers that decide outside `decide`. */
export function reject(status: RejectionStatus, reason: RejectionReason, api: boolean): Rejection {
  return { kind: "rejected", status, reason, api };
}

function wrongMethod(area: Area): Rejection {
  return { ...reject(405, "method", area === "api"), allow: METHODS[area].allow };
}

function httpOrigin(host: string): string {
  return `http://${host.endsWith(":80") ? host.slice(0, -3) : host}`;
}
