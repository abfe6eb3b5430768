import { describe, expect, it } from "vitest";
import { PURPOSES } from "~/contract/purposes";
import { levels } from "~/platform/telemetry/metrics.server";
import { registeredMetrics } from "./registered-metrics";

/** @alone: metrics that other tests have counted are not zero. */
const registry = await registeredMetrics();

describe("the metrics", () => {
  it("exist from the start, at zero, so that the first event is a rise", async () => {
    const text = await registry.metrics();
    expect(text).toContain('portal_sign_ins_total{result="wrong"} 0');
    for (const purpose of PURPOSES) expect(text).toContain(`portal_codes_sent_total{purpose="${purpose}"} 0`);
  });

  it("read levels together, once per scrape, and show unknown ones as NaN", async () => {
    const queue = levels({
      length: { name: "test_queue_length", help: "Length" },
      age: { name: "test_queue_age", help: "Age" },
    });
    expect(await registry.metrics()).toMatch(/^test_queue_length nan$/im);
    let lookUps = 0;
    queue.feed(() => ({ length: (lookUps += 1), age: 12 }));
    expect(await registry.metrics()).toMatch(/^test_queue_length 1$[^]*^test_queue_age 12$/m);
    expect(await registry.metrics()).toMatch(/^test_queue_length 2$[^]*^test_queue_age 12$/m);
    queue.feed(() => Promise.reject(new Error("the database is gone")));
    expect(await registry.metrics()).toMatch(/^test_queue_length nan$[^]*^test_queue_age nan$/im);
    queue.feed(() => new Promise(() => undefined));
    expect(await registry.metrics()).toMatch(/^test_queue_length nan$[^]*^test_queue_age nan$/im);
  });
});
