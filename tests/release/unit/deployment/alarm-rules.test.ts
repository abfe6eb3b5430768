import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { canTestWith } from "../../../installed";
import { runTool } from "../../../watching-tools";
import { ALARMS, PROMETHEUS } from "../../../unit/deployment/watched";

const filesIn = (folder: string) => readdirSync(join(PROMETHEUS, folder));

describe.runIf(canTestWith("promtool"))("Prometheus", () => {
  it.each(filesIn("alarms"))("reads the alarms of %s", (file) => {
    const { code, output } = runTool("promtool", ["check", "rules", join(PROMETHEUS, "alarms", file)]);
    expect(output).not.toMatch(/\b0 rules found/);
    expect(code, output).toBe(0);
  });

  it.each(filesIn("tests"))(
    "raises the alarms that each case calls for, and none in harmless ones: %s",
    (file) => {
      const { code, output } = runTool("promtool", ["test", "rules", join(PROMETHEUS, "tests", file)]);
      expect(code, output).toBe(0);
    },
  );

  it.each(["compose", "systemd"])("scrapes the portals of the %s example", (kind) => {
    const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    cpSync(PROMETHEUS, folder, { recursive: true });
    cpSync(join(folder, `portals.${kind}.yml`), join(folder, "portals.yml"));
    const { code, output } = runTool("promtool", ["check", "config", join(folder, "prometheus.yml")]);
    expect(code, output).toBe(0);
    expect(output).toContain(`${filesIn("alarms").length} rule files found`);
    expect(output).not.toContain("WARNING");
  });
});

it("alarms ask for the jobs of the example, which has the help desk apart from the portals", () => {
  const example = readFileSync(join(PROMETHEUS, "prometheus.yml"), "utf8");
  const jobs = [...example.matchAll(/^ {2}- job_name: (\S+)$/gm)].map(([, name = ""]) => name);
  expect(jobs).toEqual(expect.arrayContaining(["portal", "portal-help-desk", "portal-help-desk-site"]));
  const asked = ALARMS.flatMap(({ text }) =>
    [...text.matchAll(/\bjob(?:=|!=|=~)"([^"]+)"/g)].flatMap(([, names = ""]) => names.split("|")),
  );
  expect(asked.filter((name) => !jobs.includes(name))).toEqual([]);
});

it("the compose example names the portals of compose.yaml, with their port for metrics", () => {
  const compose = readFileSync(join(PROMETHEUS, "..", "compose.yaml"), "utf8");
  const [, port = ""] = /METRICS_PORT: "(\d+)"/.exec(compose) ?? [];
  const portals = [...compose.matchAll(/^ {2}portal-\d:$[^]*?ipv4_address: ([\d.]+)/gm)];
  const example = readFileSync(join(PROMETHEUS, "portals.compose.yml"), "utf8");
  const targets = [...example.matchAll(/"([\d.:]+)"/g)].map(([, target]) => target);
  expect(targets).toEqual(portals.map(([, address = ""]) => `${address}:${port}`));
  expect(targets).toHaveLength(2);
});

it.runIf(canTestWith("amtool"))("Alertmanager reads its example, and tells somebody about each alarm", () => {
  const file = join(PROMETHEUS, "alertmanager.yml");
  expect(runTool("amtool", ["check-config", file]).code).toBe(0);
  for (const [severity, receiver] of [
    ["page", "pages"],
    ["ticket", "tickets"],
  ] as const) {
    const { stdout } = runTool("amtool", [
      "config",
      "routes",
      "test",
      `--config.file=${file}`,
      `severity=${severity}`,
    ]);
    expect(stdout.trim()).toBe(receiver);
  }
});

it.runIf(canTestWith("prometheus-blackbox-exporter"))("blackbox_exporter reads its module", () => {
  const file = join(PROMETHEUS, "blackbox.yml");
  const { code, output } = runTool("prometheus-blackbox-exporter", [
    "--config.check",
    `--config.file=${file}`,
  ]);
  expect(code, output).toBe(0);
});
