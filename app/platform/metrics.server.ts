import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import product from "../../package.json" with { type: "json" };
import { environment } from "./environment.server";
import { counter, levels, timer } from "./metric-kinds.server";
import {
  CODE_RESULTS,
  GATEWAYS,
  METHODS,
  PURPOSES,
  SIGN_IN_RESULTS,
  SMS_CAPS,
  STATUSES,
} from "./metric-labels";

/** Up to ten seconds: a page takes milliseconds, a sign-in under load seconds. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

/** The metrics of this process: every one that there is stands in this list. */
export type Metrics = ReturnType<typeof makeMetrics>;

/** On `globalThis`: a development server loads this module again after each edit. */
const KEY = Symbol.for("portal.metrics");
const home = globalThis as { [KEY]?: Metrics };

/** The metrics, for whoever has something to count. */
export function metrics(): Metrics {
  if (home[KEY]) return home[KEY];
  return (home[KEY] = makeMetrics());
}

/** All metrics in Prometheus' text form. What has to be looked up is looked up now, for a second at most. */
export async function metricsText(): Promise<string> {
  const all = metrics();
  await Promise.all(Object.values(all).flatMap((metric) => ("refresh" in metric ? [metric.refresh()] : [])));
  return all.registry.metrics();
}

/** Begins to watch what Node knows of the process (memory, garbage, delay of the event loop), which takes some work. */
export function watchProcess(): void {
  const { registry } = metrics();
  if (!registry.getSingleMetric("nodejs_eventloop_lag_seconds"))
    collectDefaultMetrics({ register: registry });
}

/**
 * Names as Prometheus has them: unit and `_total` at the end. What a label can say is a closed list, so that nothing
 * that a visitor sends ever becomes a series, and nothing in one is about a person.
 */
function makeMetrics() {
  const registry = new Registry();
  registerBuildInfo(registry);
  return { registry, ...ofHttp(registry), ...ofSignIn(registry), ...ofSms(registry), ...ofWork(registry) };
}

function ofHttp(registry: Registry) {
  return {
    /** Requests that were answered. `route`: a pattern of app/routes.ts, or `file`; never an address. */
    httpRequests: counter(
      registry,
      { name: "portal_http_requests_total", help: "Requests by route, method and class of status" },
      {
        route: [] as readonly string[],
        method: METHODS,
        status: STATUSES,
      },
    ),
    httpSeconds: timer(
      registry,
      {
        name: "portal_http_request_duration_seconds",
        help: "From the head of a request to the end of its answer",
        buckets: ANSWER_SECONDS,
      },
      { route: [] as readonly string[] },
    ),
    /** Requests that the front door turned away. */
    refusals: counter(
      registry,
      { name: "portal_http_refusals_total", help: "Requests refused by the front door, by reason" },
      {
        reason: [
          "target",
          "too-long",
          "too-deep",
          "host",
          "method",
          "route-data",
          "cross-site",
          "undeclared-length",
          "too-large",
          "content-encoding",
          "media-type",
          "closing",
          "fault",
        ],
      },
    ),
  };
}

function ofSignIn(registry: Registry) {
  return {
    /** What came of usernames and passwords. `code-needed`: right, the code follows, and then `signed-in` as well. */
    signIns: counter(
      registry,
      { name: "portal_sign_ins_total", help: "Sign-ins by result" },
      { result: SIGN_IN_RESULTS },
    ),
    /** One-time codes that were handed to the SMS gateway or its queue. */
    codesSent: counter(
      registry,
      { name: "portal_codes_sent_total", help: "One-time codes handed over for sending, by purpose" },
      { purpose: PURPOSES },
    ),
    /** Codes that a cap or an unreachable number held back. */
    codesNotSent: counter(
      registry,
      { name: "portal_codes_not_sent_total", help: "One-time codes held back, by purpose" },
      { purpose: PURPOSES },
    ),
    /** Codes that were typed. `blocked`: the wrong one that was the last try. */
    codesChecked: counter(
      registry,
      { name: "portal_codes_checked_total", help: "One-time codes that were typed, by purpose and result" },
      { purpose: PURPOSES, result: CODE_RESULTS },
    ),
  };
}

function ofSms(registry: Registry) {
  return {
    /** The queue in the database: the same for every process that works it. */
    smsQueue: levels(registry, {
      messages: { name: "portal_sms_queue_messages", help: "Messages that wait for the gateway" },
      oldestSeconds: {
        name: "portal_sms_queue_oldest_seconds",
        help: "For how long the oldest message has waited; 0 without one",
      },
    }),
    /** Answers of a gateway. `retried`: it failed and the message stays; `given-up`: its code has expired. */
    smsDeliveries: counter(
      registry,
      { name: "portal_sms_deliveries_total", help: "Attempts to hand a message over, by gateway and result" },
      { gateway: GATEWAYS, result: ["accepted", "retried", "rejected", "given-up"] },
    ),
    /** Messages that a cap kept from being sent. */
    smsCapsReached: counter(
      registry,
      { name: "portal_sms_caps_reached_total", help: "Messages not sent because of a cap, by cap" },
      { cap: SMS_CAPS },
    ),
  };
}

function ofWork(registry: Registry) {
  return {
    hashQueue: levels(registry, {
      waiting: { name: "portal_hash_queue_waiting", help: "Password hashes that wait for their turn" },
      running: { name: "portal_hash_queue_running", help: "Password hashes under way" },
    }),
    hashWait: timer(
      registry,
      { name: "portal_hash_wait_seconds", help: "Wait of a password for its hash", buckets: WAIT_SECONDS },
      {},
    ),
    /** Answered 503: the queue was full. */
    hashesRefused: counter(
      registry,
      { name: "portal_hashes_refused_total", help: "Password hashes refused because the queue was full" },
      {},
    ),
    databasePool: levels(registry, {
      inUse: { name: "portal_database_connections_in_use", help: "Connections of the pool that work" },
      idle: { name: "portal_database_connections_idle", help: "Connections of the pool that are free" },
      waiting: { name: "portal_database_waiting", help: "Queries that wait for a connection" },
    }),
    /** PostgreSQL only. `refused` has what was worth repeating in it: two wrote the same at once. */
    databaseErrors: counter(
      registry,
      { name: "portal_database_errors_total", help: "Queries and connections that failed, by kind" },
      { kind: ["unavailable", "refused"] },
    ),
    disk: levels(registry, {
      freeBytes: { name: "portal_data_free_bytes", help: "Room that is left where DATA_DIR is" },
    }),
    /** Calls to the backend, embedded or named by BACKEND_URL, by what came of them. */
    backendCalls: counter(
      registry,
      { name: "portal_backend_calls_total", help: "Calls of the portal to its backend, by result" },
      {
        result: [
          "done",
          "refused",
          "invalid",
          "wait",
          "unauthenticated",
          "not-activated",
          "failed",
          "unreachable",
        ],
      },
    ),
    backendSeconds: timer(
      registry,
      {
        name: "portal_backend_call_duration_seconds",
        help: "Duration of the portal's calls to its backend",
        buckets: ANSWER_SECONDS,
      },
      {},
    ),
    /** 1 when /readyz would answer 200. */
    ready: levels(registry, {
      ready: { name: "portal_ready", help: "Whether the process is ready: 1 or 0" },
    }),
  };
}

function registerBuildInfo(registry: Registry): void {
  const info = new Gauge({
    name: "portal_build_info",
    help: "Always 1; the labels say what runs",
    labelNames: ["version", "node", "mode"],
    registers: [registry],
  });
  info.set({ version: product.version, node: process.versions.node, mode: environment().PORTAL_MODE }, 1);
}
