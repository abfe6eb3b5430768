import type { IncomingHttpHeaders } from "node:http";
import type { FrontDoorRules, RejectionReason, RejectionStatus } from "./policy";

/** The head of a request, as `node:http` gives it to us before the body. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
}

/** The request goes on to the app. `target` is the path and query of an absolute target, and replaces it. */
export interface Pass {
  readonly kind: "pass";
  readonly target?: string;
  /** The request is not a navigation: we ignore its cookies and set none, as for an unknown visitor (S111). */
  readonly isAnonymous?: boolean;
}

/** The request stops here; the answer is a page, or JSON under the API. */
export interface Rejection {
  readonly kind: "rejected";
  readonly status: RejectionStatus;
  readonly reason: RejectionReason;
  readonly api: boolean;
  /** With a 405: the allowed methods. */
  readonly allow?: string;
}

export type Decision = Pass | Rejection;

const PASS: Pass = { kind: "pass" };
/** The methods that change nothing. */
export const READS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);
/** The accepted methods (S61). The API adds PUT and DELETE, because its contract lists them. */
const METHODS: Readonly<Record<Area, { readonly known: ReadonlySet<string>; readonly allow: string }>> = {
  pages: { known: new Set(["GET", "HEAD", "POST"]), allow: "GET, HEAD, POST" },
  api: { known: new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]), allow: "GET, HEAD, POST, PUT, DELETE" },
};

/**
 * Decides on a request by its head alone, and changes nothing. The target comes first, because every later rule depends
 * on it. The order: the target's syntax and size, the number of headers, Host, method, route data, a write's origin, the
 * body, prefetch. OPTIONS is rejected like any unknown method, because there is no CORS to negotiate (S57).
 */
export function decide(head: RequestHead, rules: FrontDoorRules): Decision {
  const { method = "", url = "", headers } = head;
  const target = readTarget(url);
  // `OPTIONS *` (the whole server) and CONNECT (a tunnel) have legal targets, so we reject the method, not the target.
  if (!target)
    return url === "*" || method === "CONNECT"
      ? wrongMethod("pages")
      : reject(400, "target", isApiAddress(url));
  const { area } = target;
  if (url.length > longestAddress(target, rules)) return reject(414, "too-long", area === "api");
  if (hasMoreSegments(target.path, rules.limits.ADDRESS_SEGMENTS))
    return reject(404, "too-deep", area === "api");
  // Node obeys all header lines but shows us only 1,000: we would not see a length or a coding after those.
  if (head.rawHeaders.length > 2 * rules.limits.HEADER_LINES)
    return reject(431, "too-many-headers", area === "api");
  const host = requestHost(target, head.rawHeaders, rules);
  if (host === undefined) return reject(400, "host", area === "api");
  if (!METHODS[area].known.has(method)) return wrongMethod(area);
  if (asksForRouteData(target)) return reject(404, "route-data", area === "api");
  const writes = !READS.has(method);
  if (writes && !isSameOriginWrite(headers, rules.publicOrigin ?? httpOrigin(host))) {
    return reject(403, "cross-site", area === "api");
  }
  const problem = bodyProblem(headers, writes, area, rules);
  if (problem) return reject(problem.status, problem.reason, area === "api");
  // The browser may show the answer to a prefetch later, so the page for an unknown visitor would be wrong there; and
  // rendering the customer's own page would have side effects.
  if (isPrefetch(headers)) return reject(403, "prefetch", area === "api");
  const pass = target.authority === undefined ? PASS : { ...PASS, target: target.local };
  return writes || isNavigation(method, headers) ? pass : { ...pass, isAnonymous: true };
}

function longestAddress({ local }: RequestTarget, { limits, longAddress }: FrontDoorRules): number {
  const isLong = longAddress !== undefined && local.startsWith(`${longAddress.path}?`);
  return isLong ? longAddress.characters : limits.ADDRESS_CHARACTERS;
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

/** The part of the site that a path belongs to: the backend's API, or the pages. */
type Area = "api" | "pages";

/** A well-formed request target. */
interface RequestTarget {
  readonly area: Area;
  /** Path and query as they arrived; of an absolute target, the part after the authority. */
  readonly local: string;
  /** The path, percent-decoded. */
  readonly path: string;
  /** The part after the `?`, as it arrived. */
  readonly query: string;
  /** Host and port of an absolute target (RFC 9112 §3.2.2), in lower case. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const API = /^\/(?:home|cp)\/api(?:\/|$)/i;

/** Matches an address of the API that is malformed, so that we can't decode its path. */
const RAW_API = /^(?:https?:\/\/[^/?#]*)?\/(?:home|cp)\/api(?:[/?]|$)/i;

/** Matches a space, a control character, a fragment, or a `%` without two hex digits. */
const MALFORMED = /[\0-\x20#\x7f]|%(?![\da-f]{2})/i;
/** Matches a path without control characters and without backslashes, which some code reads as slashes. */
const PLAIN_PATH = /^[ -[\]-~\x80-\uffff]*$/;

/**
 * Parses a request target; undefined if it is malformed (S66). Stricter than the libraries of the app: they throw on `//`
 * and on percent-encoding that isn't UTF-8, and disagree about dots, backslashes and NULs in a path. Browsers send none
 * of these.
 */
function readTarget(target: string): RequestTarget | undefined {
  let local = target;
  let authority: string | undefined;
  if (!target.startsWith("/")) {
    const absolute = ABSOLUTE.exec(target);
    if (!absolute) return undefined;
    const [, host = "", rest = ""] = absolute;
    authority = host.toLowerCase();
    local = rest.startsWith("/") ? rest : `/${rest}`;
  }
  if (MALFORMED.test(local)) return undefined;
  const queryAt = local.indexOf("?");
  const path = decode(queryAt === -1 ? local : local.slice(0, queryAt));
  if (path === undefined || path.startsWith("//") || !PLAIN_PATH.test(path)) return undefined;
  if (DOT_SEGMENT.test(path)) return undefined;
  const query = queryAt === -1 ? "" : local.slice(queryAt + 1);
  return { area: API.test(path) ? "api" : "pages", local, path, query, authority };
}

/** Whether a path that `decide` let pass, as it arrived, is one of the API. */
export function isApi(path: string): boolean {
  return API.test(decode(path) ?? path);
}

/** Whether a malformed target is an address of the API, where every answer is JSON. */
function isApiAddress(target: string): boolean {
  return RAW_API.test(target);
}

/**
 * Whether a target asks for a page's data, or for a list of routes, in one of Remix's ways. No page of ours does, and
 * the answers would bypass the checks of the document (S39).
 */
function asksForRouteData({ path, query }: RequestTarget): boolean {
  if (path.endsWith(".data") || path === "/__manifest") return true;
  if (!query.includes("_") && !query.includes("%")) return false;
  const parameters = new URLSearchParams(query);
  return parameters.has("_data") || parameters.has("_routes");
}

/**
 * Whether a decoded path has more than `limit` segments (S104). The app's libraries try every pattern on every
 * ancestor of an address, so the cost grows with the square of its depth.
 */
function hasMoreSegments(path: string, limit: number): boolean {
  return path.split("/").length - 1 > limit;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const WELL_FORMED_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Load balancers request these paths by IP address, so any well-formed Host will do. The answer is only up or down. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Stands for the Host of a health check that sends none. */
const NO_HOST = "localhost";

/**
 * The request's Host, in lower case; undefined if Host is missing, given twice, malformed, not ours, or differs from the
 * host in the target (S59, RFC 9112 §3.2).
 */
function requestHost(
  target: RequestTarget,
  rawHeaders: readonly string[],
  rules: FrontDoorRules,
): string | undefined {
  const host = singleHostHeader(rawHeaders)?.toLowerCase();
  // A simple load balancer speaks HTTP/1.0, which needs no Host.
  if (host === undefined && !hasHostHeader(rawHeaders) && HEALTH_PATHS.has(target.path)) return NO_HOST;
  if (host === undefined || (target.authority !== undefined && target.authority !== host)) return undefined;
  const ourHosts = target.area === "api" ? rules.apiHosts : rules.pageHosts;
  if (ourHosts?.has(host)) return host;
  if (ourHosts && !HEALTH_PATHS.has(target.path)) return undefined;
  return WELL_FORMED_HOST.test(host) && URL.canParse(`http://${host}/`) ? host : undefined;
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

/**
 * Whether a write comes from our own pages, as far as its headers tell (S49; backend contract, "Cross-site writes").
 * An Origin must equal ours exactly, including the scheme; `null` never does. Without an Origin (text browsers, curl,
 * another portal), neither Sec-Fetch-Site nor Referer may name another site.
 * @param origin the public origin, or `http://` and the Host if none is configured
 */
function isSameOriginWrite(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (headers.origin !== undefined) return headers.origin === origin;
  const { referer } = headers;
  return referer === undefined || referer === "" || originOf(referer) === origin;
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** A problem with a body that the head shows before we read the body. */
type BodyProblem =
  | { readonly status: 411; readonly reason: "undeclared-length" }
  | { readonly status: 413; readonly reason: "too-large" }
  | { readonly status: 415; readonly reason: "content-encoding" | "media-type" };

const UNDECLARED: BodyProblem = { status: 411, reason: "undeclared-length" };
const TOO_LARGE: BodyProblem = { status: 413, reason: "too-large" };
const ENCODED: BodyProblem = { status: 415, reason: "content-encoding" };
const OTHER_TYPE: BodyProblem = { status: 415, reason: "media-type" };

const FORM = "application/x-www-form-urlencoded";

/** The body's declared length in bytes; NaN if the head doesn't declare it (chunked). */
export function declaredLength(headers: IncomingHttpHeaders): number {
  if (headers["transfer-encoding"] !== undefined) return Number.NaN;
  return headers["content-length"] === undefined ? 0 : Number(headers["content-length"]);
}

/**
 * Finds a problem with a body by the head alone (S63). All our forms are urlencoded, with scripts or without;
 * multipart would only let files in. The backend checks JSON under the API itself.
 */
function bodyProblem(
  headers: IncomingHttpHeaders,
  writes: boolean,
  area: Area,
  { limits }: FrontDoorRules,
): BodyProblem | undefined {
  const length = declaredLength(headers);
  if (Number.isNaN(length)) return UNDECLARED;
  if (length > (area === "api" ? limits.API_BODY_BYTES : limits.FORM_BODY_BYTES)) return TOO_LARGE;
  if (!writes) return undefined;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return ENCODED;
  const type = headers["content-type"];
  if (area === "api" || (length === 0 && type === undefined)) return undefined;
  return type !== undefined && isForm(type) ? undefined : OTHER_TYPE;
}

function isForm(type: string): boolean {
  const parameters = type.indexOf(";");
  return (parameters === -1 ? type : type.slice(0, parameters)).trim().toLowerCase() === FORM;
}

/** Headers by which browsers say that they load a page ahead of time: the standard header, and its predecessors. */
const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;
const PREFETCH = /prefetch|preview|prerender/i;

/** Whether the browser loads a page ahead of time, guessing that the visitor will open it. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return PURPOSE_HEADERS.some((name) => PREFETCH.test(String(headers[name] ?? "")));
}

/**
 * Whether a read opens a page for the visitor: by following a link, or by our own script that fetches a page. HEAD
 * requests, images, frames and other sites' scripts open none (S111). Text browsers and tools send no Sec-Fetch headers,
 * and count as navigations.
 */
export function isNavigation(method: string, headers: IncomingHttpHeaders): boolean {
  if (method === "HEAD") return false;
  const destination = headers["sec-fetch-dest"] ?? "document";
  const site = headers["sec-fetch-site"] ?? "same-origin";
  return destination === "document" || (destination === "empty" && site === "same-origin");
}
