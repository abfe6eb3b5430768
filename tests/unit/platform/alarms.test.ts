import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { metricsText, watchProcess } from "~/platform/telemetry/metrics.server";
import { registeredMetrics } from "./registered-metrics";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url)), "utf8");

const registry = await registeredMetrics();

/** Each alarm of docs/operations/alarms.yml: its name and its text. */
const ALARMS = read("operations/alarms.yml")
  .split("- alert: ")
  .slice(1)
  .map((text) => ({ name: text.split("\n", 1)[0] ?? "", text }));
const RUNBOOK = read("operations/runbook.md");

it("[S16] failing sign-ins have an alarm", () => {
  expect(ALARMS.map(({ name }) => name)).toContain("SignInFailures");
});

it.each(ALARMS)("$name uses metrics and label values that exist", async ({ text }) => {
  watchProcess();
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const asked = [...text.matchAll(/\b(?:portal|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    names.includes(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ""),
  );
  if (!text.includes("up{")) expect(asked).not.toEqual([]);
  for (const name of asked) expect(names).toContain(name);

  const exposed = await metricsText();
  for (const [, label, words = ""] of text.matchAll(/\b(result|cap|kind)=~?"([^"]+)"/g))
    for (const word of words.split("|")) expect(exposed).toContain(`${label}="${word}"`);
});

it.each(ALARMS)("$name is in the runbook exactly once", ({ name }) => {
  expect(RUNBOOK.split(`\n### ${name}\n`)).toHaveLength(2);
});

it("the runbook has no other alarms", () => {
  const [alarms = ""] = RUNBOOK.split("\n## Routine");
  const titles = [...alarms.matchAll(/^### (\w+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(ALARMS.map(({ name }) => name));
});
