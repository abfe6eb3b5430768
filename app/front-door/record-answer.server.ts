import { log } from "~/platform/telemetry/log.server";
import { counter, timer } from "~/platform/telemetry/metric-kinds.server";
import type { AnswerNotice } from "./policy";
import type { RoutePatterns } from "./route-patterns";

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

/** Logs and counts a finished request, under its route pattern only, never its address. */
export function recordAnswer(
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
