import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";

const APP = fileURLToPath(new URL("../../../app", import.meta.url));

/** Loads every module that registers metrics, as the server does at startup, and returns the registry. */
export async function registeredMetrics() {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /\.server\.tsx?$/.test(file) &&
      /^import .*\/metrics\.server"/m.test(readFileSync(join(APP, file), "utf8")),
  );
  for (const file of files) await import(join(APP, file));
  return metricsRegistry();
}
