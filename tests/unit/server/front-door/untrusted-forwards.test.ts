import { expect, it, vi } from "vitest";
import { recordUntrustedForward } from "~/server/front-door/record.server";
import { log } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";

const HOUR = 60 * 60_000;

// @alone: the count since the last line, the clock and the log belong to the process.
it("[S125] forwarded headers from a peer that isn't trusted are all counted, and logged once an hour", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const warn = vi.spyOn(log(), "warn").mockReturnValue();
  const flood = (peer: string) => {
    for (let nth = 0; nth < 1000; nth += 1) recordUntrustedForward(peer);
  };
  flood("192.0.2.1");
  vi.advanceTimersByTime(HOUR - 1);
  flood("192.0.2.2");
  vi.advanceTimersByTime(1);
  flood("192.0.2.3");
  expect(warn.mock.calls.map(([facts]) => facts)).toEqual([
    { event: "proxy-not-trusted", clientAddress: "192.0.2.1", count: 1 },
    { event: "proxy-not-trusted", clientAddress: "192.0.2.3", count: 2000 },
  ]);
  expect(await metricsText()).toContain("portal_untrusted_forwards_total 3000");
});
