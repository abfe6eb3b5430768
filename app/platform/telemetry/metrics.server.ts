import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import product from "../../../package.json" with { type: "json" };
import { environment } from "../config/environment.server";

let registry: Registry | undefined;

/** The registry of this process, in which each room registers its own metrics (metric-kinds.server.ts). */
export function metricsRegistry(): Registry {
  return (registry ??= makeRegistry());
}

/** All metrics in the Prometheus text format. */
export function metricsText(): Promise<string> {
  return metricsRegistry().metrics();
}

/** prom-client's sums of its own metrics: gauges named like counters, which promtool rejects. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

/** Starts Node's process metrics (memory, garbage collection, event loop delay), which take some work. */
export function watchProcess(): void {
  const watched = metricsRegistry();
  if (watched.getSingleMetric("nodejs_eventloop_lag_seconds")) return;
  collectDefaultMetrics({ register: watched });
  for (const name of MISNAMED) watched.removeSingleMetric(name);
}

function makeRegistry(): Registry {
  const made = new Registry();
  new Gauge({
    name: "portal_build_info",
    help: "Always 1; the labels say what runs",
    labelNames: ["version", "node", "mode"],
    registers: [made],
    // Read at scrape time: operators' commands load this module too, perhaps without the portal's environment.
    collect() {
      this.set({ version: product.version, node: process.versions.node, mode: environment().PORTAL_MODE }, 1);
    },
  });
  return made;
}
