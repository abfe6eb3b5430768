import { log } from "~/platform/telemetry/log.server";
import { counter, levels, timer } from "~/platform/telemetry/metrics.server";
import type { RequestContext } from "./context.server";
import { isAskedIfAlive } from "./health.server";
import {
  type AnswerNotice,
  CONNECTION_REFUSALS,
  type ConnectionRefusal,
  REJECTION_REASONS,
  type RejectionNotice,
} from "./policy";

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"] as const;
const MS_IN_SECOND = 1000;
/** Up to ten seconds: a page takes milliseconds, a sign-in under load seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A pattern of app/routes.ts, or `file`; never an address. */
const route: readonly string[] = [];
const requests = counter(
  { name: "portal_http_requests_total", help: "Requests by route, method and class of status" },
  {
    route,
    method: [...METHODS, "other"],
    /** `gone`: the visitor went away before the answer was complete. */
    status: ["2xx", "3xx", "4xx", "5xx", "gone"],
  },
);
const requestSeconds = timer(
  {
    name: "portal_http_request_duration_seconds",
    help: "From the head of a request to the end of its answer",
    buckets: SECONDS,
  },
  { route },
);

/** The recorders that log and count a front door's events. @param routes the build's routes by id */
export function recorders(routes: ListedRoutes) {
  const patterns = new RoutePatterns(routes);
  return {
    onRejected: recordRejection,
    onConnectionRefused: recordRefusedConnection,
    onUntrustedForward: recordUntrustedForward,
    onAnswered: (answer: AnswerNotice) => {
      recordAnswer(answer, patterns);
    },
  };
}

/**
 * Logs and counts a finished request, under its route pattern only, never its address. nginx asks `/healthz` as often as
 * customers ask for anything; counting that would hide how they fare.
 */
function recordAnswer(
  { target, method, status, ms, requestId, gone }: AnswerNotice,
  patterns: RoutePatterns,
): void {
  if (isAskedIfAlive(target)) return;
  const route = patterns.of(target);
  log().info({ requestId, method, route, ms, ...(gone ? { reason: "gone" } : { status }) }, "answered");
  requests.inc({ route, method: knownMethod(method), status: gone ? "gone" : statusClass(status) });
  requestSeconds.observe({ route }, ms / MS_IN_SECOND);
}

function knownMethod(method: string) {
  return METHODS.find((known) => known === method) ?? "other";
}

function statusClass(status: number) {
  if (status < 300) return "2xx";
  if (status < 400) return "3xx";
  return status < 500 ? "4xx" : "5xx";
}

/** A route in the build's list. */
interface ListedRoute {
  readonly path?: string | undefined;
  readonly index?: boolean | undefined;
  readonly parentId?: string | undefined;
}

type ListedRoutes = Readonly<Record<string, ListedRoute | undefined>>;

interface WildcardPattern {
  readonly pattern: string;
  readonly regExp: RegExp;
}

/** The fallback route: matches whatever no other pattern does. */
const EVERYTHING = "/*";
const FILE = /\.\w{1,8}$/;

/**
 * Finds the pattern of app/routes.ts that an address matches, for metrics and the log: an address may name a person,
 * and anyone can make up any number of them.
 */
export class RoutePatterns {
  readonly #exact = new Set<string>();
  readonly #wildcards: WildcardPattern[] = [];

  /** @param routes the build's routes by id */
  constructor(routes: ListedRoutes) {
    for (const route of Object.values(routes)) {
      if (!route || (route.path === undefined && route.index !== true)) continue;
      const pattern = `/${fullPath(routes, route)}`;
      if (/[:*]/.test(pattern)) this.#wildcards.push({ pattern, regExp: toRegExp(pattern) });
      else this.#exact.add(pattern);
    }
    this.#wildcards.sort((one, other) => other.pattern.length - one.pattern.length);
  }

  /** The pattern that a request target (path and query) matches. */
  of(target: string): string {
    const path = withoutSlash(target.split("?", 1)[0] ?? "");
    if (this.#exact.has(path)) return path;
    const pattern = this.#wildcards.find(({ regExp }) => regExp.test(path))?.pattern ?? EVERYTHING;
    return pattern === EVERYTHING && FILE.test(path) ? "file" : pattern;
  }
}

/** A route's pattern, without the slash before it. */
function fullPath(routes: ListedRoutes, route: ListedRoute): string {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return [parent && fullPath(routes, parent), route.path].filter(Boolean).join("/");
}

/** A page's path: the router ignores a slash at its end. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${source}$`, "s");
}

const rejections = counter(
  { name: "portal_http_refusals_total", help: "Requests refused by the front door, by reason" },
  { reason: REJECTION_REASONS },
);

/** Logs and counts a request that the front door rejected. */
function recordRejection(rejection: RejectionNotice): void {
  log().info({ ...rejection }, "request refused");
  rejections.inc({ reason: rejection.reason });
}

/**
 * Rate limit for log lines, so that a flood of events doesn't fill the disk. `countIfDue` returns the number of events of
 * a kind since the last logged line, this one included, or undefined if it's too early to log.
 */
function logLimit(ms: number): { readonly countIfDue: (kind: string) => number | undefined } {
  const lines = new Map<string, { readonly loggedAt: number; unlogged: number }>();
  return {
    countIfDue: (kind) => {
      const now = performance.now();
      const line = lines.get(kind);
      if (line && now - line.loggedAt < ms) {
        line.unlogged += 1;
        return undefined;
      }
      lines.set(kind, { loggedAt: now, unlogged: 0 });
      return (line?.unlogged ?? 0) + 1;
    },
  };
}

const refusals = counter(
  { name: "portal_connections_refused_total", help: "Connections closed by the front door, by reason" },
  { reason: CONNECTION_REFUSALS },
);
const refusalLog = logLimit(60_000);

/** Counts a connection that the front door closed, and now and then logs how many and the address of the latest. */
export function recordRefusedConnection({ reason, clientAddress }: ConnectionRefusal): void {
  refusals.inc({ reason });
  const count = refusalLog.countIfDue(reason);
  if (count === undefined) return;
  log().warn({ event: "connections-refused", reason, clientAddress, count }, "connections refused");
}

const openLevels = levels({
  open: { name: "portal_connections_open", help: "Connections of customers and proxies that are open" },
});

/** Counts open connections at each scrape. */
export function countOpenConnections(count: () => number): void {
  openLevels.feed(() => ({ open: count() }));
}

const forwards = counter(
  {
    name: "portal_untrusted_forwards_total",
    help: "Requests with forwarding headers from a peer that TRUSTED_PROXIES does not name",
  },
  {},
);
/** A wrong setting stays wrong, so one line an hour is enough. */
const forwardLog = logLimit(60 * 60_000);

/** Counts a request with forwarding headers from a peer that is not a trusted proxy, and now and then logs how many. */
export function recordUntrustedForward(clientAddress: string): void {
  forwards.inc({});
  const count = forwardLog.countIfDue("");
  if (count === undefined) return;
  log().warn(
    { event: "proxy-not-trusted", clientAddress, count },
    "forwarded headers from a peer that TRUSTED_PROXIES doesn't name",
  );
}

/** Logs an error that left a request without an answer of its own. */
export function reportFailure({ requestId }: RequestContext, error: unknown): void {
  log().error({ requestId, err: error }, "unexpected failure");
}
