import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const OUR_DATASOURCE = z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });
const TARGET = z.object({ datasource: OUR_DATASOURCE, expr: z.string().min(1), legendFormat: z.string() });
const POSITION = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
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
  panels: z.array(PANEL),
});

const FILE = fileURLToPath(new URL("../../../deploy/grafana/portal.json", import.meta.url));
export const { panels, annotations, templating } = DASHBOARD.parse(JSON.parse(readFileSync(FILE, "utf8")));
export const EXPRESSIONS = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
  ...annotations.list.map(({ expr }) => ({ title: "annotation", expr })),
];
