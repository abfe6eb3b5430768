import { expect, it } from "vitest";
import { onEachDatabase } from "../../database";
import { canTestWith } from "../../installed";
import { metricsOnceServed } from "../../serving/metrics-once-served";
import { runTool } from "../../watching-tools";

onEachDatabase((kind) => {
  it.runIf(canTestWith("promtool"))("Prometheus's own checker accepts the metrics", async () => {
    const body = await metricsOnceServed(kind);
    expect(runTool("promtool", ["check", "metrics"], body)).toMatchObject({ code: 0, output: "" });
  });
});
