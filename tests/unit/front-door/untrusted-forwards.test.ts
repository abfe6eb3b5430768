import { expect, it } from "vitest";
import { UntrustedForwards } from "~/front-door/record.server";
import { makeLog } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";

const HOUR = 60 * 60_000;

it("[S125] forwarded headers from a peer that isn't trusted are all counted, and logged once an hour", async () => {
  const lines: Record<string, unknown>[] = [];
  let now = 5;
  const log = makeLog("info", {
    write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const untrusted = new UntrustedForwards(
    () => log,
    () => now,
  );
  const flood = (peer: string) => {
    for (let nth = 0; nth < 1000; nth += 1) untrusted.record(peer);
  };
  flood("192.0.2.1");
  now += HOUR - 1;
  flood("192.0.2.2");
  now += 1;
  flood("192.0.2.3");
  expect(lines.map(({ level, event, clientAddress, count }) => [level, event, clientAddress, count])).toEqual(
    [
      ["warn", "proxy-not-trusted", "192.0.2.1", 1],
      ["warn", "proxy-not-trusted", "192.0.2.3", 2000],
    ],
  );
  expect(await metricsText()).toContain("portal_untrusted_forwards_total 3000");
});
