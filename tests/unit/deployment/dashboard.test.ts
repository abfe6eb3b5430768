import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { watchProcess } from "~/platform/telemetry/metrics.server";
import { registeredMetrics } from "../platform/registered-metrics";
import { canTestWith } from "../../installed";
import { runTool } from "../../watching-tools";
import { EXPORTED, metricsIn } from "./watched";

const OUR_DATASOURCE = z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });
const TARGET = z.object({ datasource: OUR_DATASOURCE, expr: z.string().min(1), legendFormat: z.string() });
const POSITION = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
const ROW = z.object({ id: z.number(), type: z.literal("row"), title: z.string(), gridPos: POSITION });
const PANEL = z.object({
  id: z.number(),
  type: z.enum(["stat", "timeseries"]),
  title: z.string(),
  description: z.string().regex(/\.$/),
  datasource: OUR_DATASOURCE,
  gridPos: POSITION,
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
  targets: z.array(TARGET).min(1),
});
const DASHBOARD = z.object({
  id: z.null(),
  uid: z.string(),
  schemaVersion: z.number().min(39),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  annotations: z.object({ list: z.array(z.object({ datasource: OUR_DATASOURCE, expr: z.string() })) }),
  panels: z.array(z.discriminatedUnion("type", [ROW, PANEL])),
});

const FILE = fileURLToPath(new URL("../../../deploy/grafana/portal.json", import.meta.url));
const { panels, annotations, templating } = DASHBOARD.parse(JSON.parse(readFileSync(FILE, "utf8")));
const GRAPHS = panels.flatMap((panel) => (panel.type === "row" ? [] : [panel]));
const EXPRESSIONS = [
  ...GRAPHS.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
  ...annotations.list.map(({ expr }) => ({ title: "annotation", expr })),
];
/** Grafana's own variables, as it fills them in. */
const filledIn = (expr: string) =>
  expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", "portal-1:9464|portal-2:9464");

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

  it.runIf(canTestWith("promtool"))("asks nothing that Prometheus can't read", () => {
    const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, "rules.yml");
    const rules = EXPRESSIONS.map(({ expr }, nth) => ({ record: `panel_${nth}`, expr: filledIn(expr) }));
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    const { code, output } = runTool("promtool", ["check", "rules", file]);
    expect(code, output).toBe(0);
    expect(output).toContain(`${EXPRESSIONS.length} rules found`);
  });

  it("shows every metric of the portal and of its nginx, but two", () => {
    const shown = new Set(EXPRESSIONS.flatMap(({ expr }) => metricsIn(expr)));
    const own = [...METRICS].filter((name) => name.startsWith("portal_"));
    expect(own.filter((name) => !shown.has(name))).toEqual([
      // Only alarms use these: whether mtail sees lines, and understands them.
      "portal_nginx_lines_total",
      "portal_nginx_unread_lines_total",
    ]);
  });

  it("names each line of a graph, and gives each panel a number of its own", () => {
    for (const { title, type, targets } of GRAPHS)
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
