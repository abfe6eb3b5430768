import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DEPLOY = fileURLToPath(new URL("../../../deploy", import.meta.url));
const read = (...path: string[]) => readFileSync(join(DEPLOY, ...path), "utf8");

/** The folder with the files that Prometheus reads. */
export const PROMETHEUS = join(DEPLOY, "prometheus");

const ALARM_FILES = readdirSync(join(PROMETHEUS, "alarms"));

/** Each alarm of deploy/prometheus/alarms: its name and its text. */
export const ALARMS = ALARM_FILES.flatMap((file) =>
  read("prometheus", "alarms", file)
    .split("- alert: ")
    .slice(1)
    .map((text) => ({ name: text.split("\n", 1)[0] ?? "", text })),
);

/** The metrics that alarms and the dashboard take from other programs, which docs/operations/watching.md lists. */
export const EXPORTED: readonly string[] = [
  // Prometheus itself.
  "up",
  "ALERTS",
  // blackbox_exporter.
  "probe_success",
  "probe_duration_seconds",
  "probe_ssl_earliest_cert_expiry",
  // mtail, from nginx's log.
  ...[...read("mtail", "portal-nginx.mtail").matchAll(/^(?:counter|histogram) (\w+)/gm)].map(
    ([, name = ""]) => name,
  ),
];

/** The metrics that an expression names, without the suffixes of a histogram's series. */
export function metricsIn(expression: string): readonly string[] {
  const names = /\b(?:portal|nodejs|process|probe)_[a-z0-9_]+|\b(?:up|ALERTS)(?=[{ ])/g;
  return [...expression.matchAll(names)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""));
}
