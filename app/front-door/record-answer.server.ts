import { log } from "~/platform/log.server";
import type { HttpMethod, HttpStatus } from "~/platform/metric-labels";
import { metrics } from "~/platform/metrics.server";
import { loadServerBuild } from "~/platform/load-server-build.server";
import type { AnswerNotice } from "./policy";
import { RoutePatterns } from "./route-patterns";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"] satisfies HttpMethod[]);
const MS_IN_SECOND = 1000;

let patterns: RoutePatterns | undefined;

/** Loads the routes once the whole server is loaded. Until then every route counts as unknown. */
export async function loadRoutePatterns(): Promise<void> {
  patterns = new RoutePatterns((await loadServerBuild()).routes);
}

/** Logs and counts a finished request, under its route pattern only, never its address. */
export function recordAnswer({ target, method, status, ms, requestId, gone }: AnswerNotice): void {
  const route = patterns?.of(target) ?? "unknown";
  log().info({ requestId, method, route, ms, ...(gone ? { reason: "gone" } : { status }) }, "answered");
  const { httpRequests, httpSeconds } = metrics();
  httpRequests.inc({ route, method: knownMethod(method), status: gone ? "gone" : statusClass(status) });
  httpSeconds.observe({ route }, ms / MS_IN_SECOND);
}

function knownMethod(method: string): HttpMethod {
  return METHODS.has(method) ? (method as HttpMethod) : "other";
}

function statusClass(status: number): HttpStatus {
  if (status < 300) return "2xx";
  if (status < 400) return "3xx";
  return status < 500 ? "4xx" : "5xx";
}
