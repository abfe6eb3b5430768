import { describe, expect, it } from "vitest";
import { watchProcess } from "~/platform/telemetry/metrics.server";
import { registeredMetrics } from "../platform/registered-metrics";
import { EXPRESSIONS, panels, templating } from "./dashboard";
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

  it("names each line of a graph, and gives each panel a number of its own", () => {
    for (const { title, type, targets } of panels)
      if (type === "timeseries")
        for (const { legendFormat } of targets) expect(legendFormat, title).not.toBe("");
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it("has no panel on top of another, and none beyond the edge", () => {
    const taken = new Set<string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x},${y}`), title).toBe(false);
          taken.add(`${x},${y}`);
        }
    }
  });
});
