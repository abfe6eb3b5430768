import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { metricsText, watchProcess } from "~/platform/telemetry/metrics.server";
import { ALARMS, EXPORTED, metricsIn } from "../deployment/watched";
import { registeredMetrics } from "./registered-metrics";

const RUNBOOK = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/runbook.md", import.meta.url)),
  "utf8",
);
const registry = await registeredMetrics();

it("[S16] failing sign-ins have an alarm", () => {
  expect(ALARMS.map(({ name }) => name)).toContain("SignInFailures");
});

it.each(ALARMS)("$name uses metrics and label values that exist", async ({ text }) => {
  watchProcess();
  const names = new Set([...registry.getMetricsAsArray().map(({ name }) => name), ...EXPORTED]);
  const asked = metricsIn(text);
  expect(asked).not.toEqual([]);
  for (const name of asked) expect(names).toContain(name);

  const exposed = await metricsText();
  for (const [, label, words = ""] of text.matchAll(/\b(result|cap|kind)=~?"([^"]+)"/g))
    for (const word of words.split("|")) expect(exposed).toContain(`${label}="${word}"`);
});

it.each(ALARMS)("$name explains itself, and links to its part of the runbook", ({ name, text }) => {
  for (const part of ["summary", "description"])
    expect(text).toMatch(new RegExp(`^          ${part}: .*\\S`, "m"));
  expect(text).toMatch(/^ {8}labels: { severity: (page|ticket) }$/m);
  // Markdown renderers give a one-word heading this anchor.
  expect(text).toContain(`runbook_url: "{{ $externalLabels.runbook }}#${name.toLowerCase()}"`);
  expect(RUNBOOK.split(`\n### ${name}\n`)).toHaveLength(2);
});

it("the runbook has no other alarms, and no two alarms share a name", () => {
  const [alarms = ""] = RUNBOOK.split("\n## Routine");
  const titles = [...alarms.matchAll(/^### (\w+)$/gm)].map(([, title]) => title);
  expect(titles.toSorted()).toEqual(ALARMS.map(({ name }) => name).toSorted());
});
