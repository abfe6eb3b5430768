import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import product from "../../../package.json" with { type: "json" };
import { environment } from "../config/environment.server";

/** On `globalThis` because a development server reloads this module after each edit. */
const KEY = Symbol.for("portal.metrics");
const home = globalThis as { [KEY]?: Registry };

/** The registry of this process, in which each room registers its own metrics (metric-kinds.server.ts). */
export function metricsRegistry(): Registry {
  if (home[KEY]) return home[KEY];
  return (home[KEY] = makeRegistry());
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
  const registry = metricsRegistry();
  if (registry.getSingleMetric("nodejs_eventloop_lag_seconds")) return;
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

function makeRegistry(): Registry {
  const registry = new Registry();
  new Gauge({
    name: "portal_build_info",
    help: "Always 1; the labels say what runs",
    labelNames: ["version", "node", "mode"],
    registers: [registry],
    // Read at scrape time: operators' commands load this module too, perhaps without the portal's environment.
    collect() {
      this.set({ version: product.version, node: process.versions.node, mode: environment().PORTAL_MODE }, 1);
    },
  });
  return registry;
}
