import { type Log, log } from "~/platform/telemetry/log.server";
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

/**
 * Logs and counts finished requests, under their route patterns only, never their addresses. nginx asks `/healthz` as
 * often as customers ask for anything; counting that would hide how they fare.
 */
export function answerRecorder(patterns: RoutePatterns): (answer: AnswerNotice) => void {
  return (answer) => {
    if (!isAskedIfAlive(answer.target)) record(answer, patterns);
  };
}

function record(
  { target, method, status, ms, requestId, gone }: AnswerNotice,
  patterns: RoutePatterns,
): void {
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
  constructor(routes: Readonly<Record<string, ListedRoute | undefined>>) {
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
function fullPath(routes: Readonly<Record<string, ListedRoute | undefined>>, route: ListedRoute): string {
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
export function recordRejection(rejection: RejectionNotice): void {
  log().info({ ...rejection }, "request refused");
  rejections.inc({ reason: rejection.reason });
}

/** Decides when an event that may come in floods gets a line in the log, so that it can't fill the disk. */
class SparseLines {
  readonly #betweenMs: number;
  readonly #now: () => number;
  readonly #lines = new Map<string, { readonly at: number; since: number }>();

  /** @param now in ms, of a clock that never jumps */
  constructor(betweenMs: number, now: () => number) {
    this.#betweenMs = betweenMs;
    this.#now = now;
  }

  /** Returns how many events of a kind there were since its last line, this one included; undefined if it gets none. */
  dueCount(kind: string): number | undefined {
    const now = this.#now();
    const line = this.#lines.get(kind);
    if (line && now - line.at < this.#betweenMs) {
      line.since += 1;
      return undefined;
    }
    this.#lines.set(kind, { at: now, since: 0 });
    return (line?.since ?? 0) + 1;
  }
}

/** At most one line per reason in this many ms, so that a flood can't fill the disk. */
const BETWEEN_LINES_MS = 60_000;

const refusals = counter(
  { name: "portal_connections_refused_total", help: "Connections closed by the front door, by reason" },
  { reason: CONNECTION_REFUSALS },
);

const openLevels = levels({
  open: { name: "portal_connections_open", help: "Connections of customers and proxies that are open" },
});

/** Counts open connections at each scrape. */
export function countOpenConnections(count: () => number): void {
  openLevels.feed(() => ({ open: count() }));
}

/** Counts connections that the front door closed, and now and then logs how many and the address of the latest. */
export class RefusedConnections {
  readonly #log: () => Log;
  readonly #lines: SparseLines;

  /** @param now in ms, of a clock that never jumps */
  constructor(log: () => Log, now: () => number) {
    this.#log = log;
    this.#lines = new SparseLines(BETWEEN_LINES_MS, now);
  }

  record({ reason, clientAddress }: ConnectionRefusal): void {
    refusals.inc({ reason });
    const count = this.#lines.dueCount(reason);
    if (count === undefined) return;
    this.#log().warn({ event: "connections-refused", reason, clientAddress, count }, "connections refused");
  }
}

const refused = new RefusedConnections(log, () => performance.now());

/** Logs and counts a connection that the front door closed. */
export function recordRefusedConnection(refusal: ConnectionRefusal): void {
  refused.record(refusal);
}

/** A wrong setting stays wrong: a line an hour is enough to be seen (ms). */
const BETWEEN_FORWARD_LINES_MS = 60 * 60_000;

const forwards = counter(
  {
    name: "portal_untrusted_forwards_total",
    help: "Requests with forwarding headers from a peer that TRUSTED_PROXIES does not name",
  },
  {},
);

/** Counts requests that an untrusted proxy seems to have passed on, and logs the number at most once an hour. */
export class UntrustedForwards {
  readonly #log: () => Log;
  readonly #lines: SparseLines;

  /** @param now in ms, of a clock that never jumps */
  constructor(log: () => Log, now: () => number) {
    this.#log = log;
    this.#lines = new SparseLines(BETWEEN_FORWARD_LINES_MS, now);
  }

  record(peer: string): void {
    forwards.inc({});
    const count = this.#lines.dueCount("");
    if (count === undefined) return;
    this.#log().warn(
      { event: "proxy-not-trusted", clientAddress: peer, count },
      "forwarded headers from a peer that TRUSTED_PROXIES doesn't name",
    );
  }
}

const untrusted = new UntrustedForwards(log, () => performance.now());

/** Logs and counts a request with forwarding headers from a peer that is not a trusted proxy. */
export function recordUntrustedForward(peer: string): void {
  untrusted.record(peer);
}

/** Logs an error that left a request without an answer of its own. */
export function reportFailure({ requestId }: RequestContext, error: unknown): void {
  log().error({ requestId, err: error }, "unexpected failure");
}
