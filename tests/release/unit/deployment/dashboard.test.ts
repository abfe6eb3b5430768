import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { canTestWith } from "../../../installed";
import { EXPRESSIONS } from "../../../unit/deployment/dashboard";
import { runTool } from "../../../watching-tools";

/** Grafana's own variables, as it fills them in. */
const filledIn = (expr: string) =>
  expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", "portal-1:9464|portal-2:9464");

it.runIf(canTestWith("promtool"))("the dashboard asks nothing that Prometheus can't read", () => {
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
