import { expect, it } from "vitest";
import { RefusedConnections } from "~/front-door/record.server";
import { makeLog } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";

const MINUTE = 60_000;

it("[S105] refused connections are all counted, and logged once a minute for each reason", async () => {
  const lines: Record<string, unknown>[] = [];
  let now = 5;
  const log = makeLog("info", {
    write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const refused = new RefusedConnections(
    () => log,
    () => now,
  );
  const flood = (from: string) => {
    for (let nth = 0; nth < 1000; nth += 1) refused.record({ reason: "address", clientAddress: from });
  };
  flood("192.0.2.1");
  refused.record({ reason: "all", clientAddress: "192.0.2.2" });
  now += MINUTE - 1;
  flood("192.0.2.3");
  now += 1;
  flood("192.0.2.4");
  const told = lines.map(({ event, reason, clientAddress, count }) => [event, reason, clientAddress, count]);
  expect(told).toEqual([
    ["connections-refused", "address", "192.0.2.1", 1],
    ["connections-refused", "all", "192.0.2.2", 1],
    ["connections-refused", "address", "192.0.2.4", 2000],
  ]);
  const metrics = await metricsText();
  expect(metrics).toContain('portal_connections_refused_total{reason="address"} 3000');
  expect(metrics).toContain('portal_connections_refused_total{reason="pipelining"} 0');
});
