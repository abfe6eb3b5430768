import { expect, it, vi } from "vitest";
import { recordRefusedConnection } from "~/server/front-door/record.server";
import { log } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";

const MINUTE = 60_000;

// @alone: the count since the last line, the clock and the log belong to the process.
it("[S105] refused connections are all counted, and logged once a minute for each reason", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const warn = vi.spyOn(log(), "warn").mockReturnValue();
  const flood = (from: string) => {
    for (let nth = 0; nth < 1000; nth += 1)
      recordRefusedConnection({ reason: "address", clientAddress: from });
  };
  flood("192.0.2.1");
  recordRefusedConnection({ reason: "all", clientAddress: "192.0.2.2" });
  vi.advanceTimersByTime(MINUTE - 1);
  flood("192.0.2.3");
  vi.advanceTimersByTime(1);
  flood("192.0.2.4");
  const event = "connections-refused";
  expect(warn.mock.calls.map(([facts]) => facts)).toEqual([
    { event, reason: "address", clientAddress: "192.0.2.1", count: 1 },
    { event, reason: "all", clientAddress: "192.0.2.2", count: 1 },
    { event, reason: "address", clientAddress: "192.0.2.4", count: 2000 },
  ]);
  const metrics = await metricsText();
  expect(metrics).toContain('portal_connections_refused_total{reason="address"} 3000');
  expect(metrics).toContain('portal_connections_refused_total{reason="pipelining"} 0');
});
