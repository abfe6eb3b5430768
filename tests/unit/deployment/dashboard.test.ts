import { describe, expect, it } from "vitest";
import { watchProcess } from "~/platform/telemetry/metrics.server";
import { registeredMetrics } from "../platform/registered-metrics";
import { EXPRESSIONS, templating } from "./dashboard";
import { EXPORTED, metricsIn } from "./watched";

const registry = await registeredMetrics();
watchProcess();
const METRICS = new Set([...registry.getMetricsAsArray().map(({ name }) => name), ...EXPORTED]);

describe("the dashboard", () => {
  it.each(EXPRESSIONS)("$title: shows metrics that exist: $expr", ({ expr }) => {
    const asked = metricsIn(expr);
    expect(asked).not.toEqual([]);
    for (const name of asked) expect(METRICS).toContain(name);
    // No variables except those that the dashboard defines itself.
    const names = new Set(["__rate_interval", ...templating.list.map(({ name }) => name)]);
    for (const [, variable = ""] of expr.matchAll(/\$\{?(\w+)/g)) expect(names).toContain(variable);
  });
});
