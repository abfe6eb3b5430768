import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { recordRefusedConnection, recordUntrustedForward } from "~/server/front-door/record.server";
import { log } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

// @alone: the count since the last line, the clock and the log belong to the process.
const warn = vi.spyOn(log(), "warn").mockReturnValue();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  warn.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

const logged = () => warn.mock.calls.map(([facts]) => facts);
const aThousandTimes = (record: () => void) => {
  for (let nth = 0; nth < 1000; nth += 1) record();
};

it("[S105] refused connections are all counted, and logged once a minute for each reason", async () => {
  const flood = (clientAddress: string) => {
    aThousandTimes(() => {
      recordRefusedConnection({ reason: "address", clientAddress });
    });
  };
  flood("192.0.2.1");
  recordRefusedConnection({ reason: "all", clientAddress: "192.0.2.2" });
  vi.advanceTimersByTime(MINUTE - 1);
  flood("192.0.2.3");
  vi.advanceTimersByTime(1);
  flood("192.0.2.4");
  const event = "connections-refused";
  expect(logged()).toEqual([
    { event, reason: "address", clientAddress: "192.0.2.1", count: 1 },
    { event, reason: "all", clientAddress: "192.0.2.2", count: 1 },
    { event, reason: "address", clientAddress: "192.0.2.4", count: 2000 },
  ]);
  const metrics = await metricsText();
  expect(metrics).toContain('portal_connections_refused_total{reason="address"} 3000');
  expect(metrics).toContain('portal_connections_refused_total{reason="pipelining"} 0');
});

it("[S125] forwarded headers from a peer that isn't trusted are all counted, and logged once an hour", async () => {
  const flood = (peer: string) => {
    aThousandTimes(() => {
      recordUntrustedForward(peer);
    });
  };
  flood("192.0.2.1");
  vi.advanceTimersByTime(HOUR - 1);
  flood("192.0.2.2");
  vi.advanceTimersByTime(1);
  flood("192.0.2.3");
  const event = "proxy-not-trusted";
  expect(logged()).toEqual([
    { event, clientAddress: "192.0.2.1", count: 1 },
    { event, clientAddress: "192.0.2.3", count: 2000 },
  ]);
  expect(await metricsText()).toContain("portal_untrusted_forwards_total 3000");
});
