import { expect, it, onTestFinished } from "vitest";
import { watchClock } from "~/backend/jobs/portal-clocks.server";
import type { Clock } from "~/platform/time.server";
import { makeLog } from "~/platform/telemetry/log.server";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { onEachDatabase } from "../../../database";
import { runCommand } from "../../../operator-command";
import { openTestBackend } from "../../backend/test-backend";
import { openStoreBeside, variablesOf } from "../../backend/test-place";

const SILENT = makeLog("silent", { write: () => undefined });
/** Enough for the slowest answer, by half of which a portal may think itself closer to the database. */
const FAST_MS = 120_000;

onEachDatabase((kind) => {
  it("each portal compares its clock with the database's, and portal doctor shows them all", async () => {
    const way = await openTestBackend({ kind });
    const store = await openStoreBeside(way.place);
    onTestFinished(async () => {
      await store.close();
      await way.close();
    });
    const start = async (portal: string, clock: Clock) => {
      onTestFinished(await watchClock({ store, clock, log: SILENT }, portal));
      const [, seconds] = /^portal_clock_ahead_seconds (\S+)$/m.exec(await metricsText()) ?? [];
      return Number(seconds);
    };
    const said = async () =>
      /^(\w+) +clocks of portals: (.*)$/m
        .exec((await runCommand(variablesOf(way.place), ["doctor"])).stdout)
        ?.slice(1);

    if (kind === "sqlite") {
      expect(await start("portal-1:3000", Date.now)).toBeNaN();
      expect(await said()).toEqual(["ok", "SQLite has no clock of its own"]);
      return;
    }
    expect(await said()).toEqual(["warning", expect.stringContaining("none runs")]);
    expect(Math.abs(await start("portal-1:3000", Date.now))).toBeLessThan(1);
    expect(await said()).toEqual(["ok", "beside the database's: portal-1:3000 +0.0 s"]);
    const ahead = await start("portal-2:3000", () => Date.now() + FAST_MS);
    expect(ahead).toBeGreaterThan(5);
    expect(ahead).toBeLessThanOrEqual(FAST_MS / 1000 + 1);
    expect(await said()).toEqual([
      "problem",
      expect.stringMatching(
        /^beside the database's: portal-1:3000 \+0\.0 s, portal-2:3000 \+[\d.]+ s: synchronise them/,
      ),
    ]);
    await way.change("update portal_clocks set ahead_ms = -1200 where portal = 'portal-2:3000'");
    expect(await said()).toEqual(["warning", expect.stringContaining("portal-2:3000 -1.2 s")]);
    await way.change("update portal_clocks set seen_at = seen_at - 150000");
    expect(await said()).toEqual(["warning", expect.stringContaining("none runs")]);
  });
});
