import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const TARGET = z.object({ expr: z.string().min(1) });
const DASHBOARD = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  annotations: z.object({ list: z.array(TARGET) }),
  panels: z.array(z.object({ title: z.string(), targets: z.array(TARGET).min(1) })),
});

const FILE = fileURLToPath(new URL("../../../deploy/grafana/portal.json", import.meta.url));
const {
  panels,
  annotations,
  templating: variables,
} = DASHBOARD.parse(JSON.parse(readFileSync(FILE, "utf8")));

/** The variables that the dashboard defines itself. */
export const templating = variables;
export const EXPRESSIONS = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
  ...annotations.list.map(({ expr }) => ({ title: "annotation", expr })),
];
