import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";
import { BESIDE_PORTALS } from "~/operators/import/policyholder-batches.server";
import { defaultLimits } from "~/platform/config/limits";
import { filledPage } from "../../../tools/bench/plot/fill-page";
import type { SizingFigures } from "../../../tools/bench/sizing/figures";
import { sizingTables } from "../../../tools/bench/sizing/markdown";
import { mostOfPortal, needFor, USUAL, visitMs, type Use } from "../../../tools/bench/sizing/reckoning";

const PAGE = "docs/operations/sizing.md";
const figures = JSON.parse(readFileSync("docs/operations/sizing.json", "utf8")) as SizingFigures;
const need = (more: Partial<Use> = {}) => needFor(figures, { ...USUAL, customers: 300_000, ...more });

describe("the page on sizing", () => {
  it("has the tables that follow from the measured figures", async () => {
    expect(readFileSync(PAGE, "utf8")).toBe(await filledPage(PAGE, sizingTables(figures)));
  });

  it("rests on a full run", () => {
    expect(figures.quick).toBe(false);
  });

  it("assumes the defaults of the product", () => {
    const reading = readEnvironment({});
    if (!reading.ok) throw new Error(reading.problems.join("\n"));
    const { DATABASE_POOL, AUDIT_KEEP_MONTHS } = reading.environment;
    expect(USUAL).toMatchObject({
      hashParallel: defaultLimits("production").HASH_PARALLEL,
      pool: DATABASE_POOL,
      auditMonths: AUDIT_KEEP_MONTHS,
    });
    // Where the first column reckons with the default cap, it is this one.
    expect(need({ customers: 1 }).smsCap).toBe(defaultLimits("production").SMS_KNOWN_TOTAL_PER_HOUR);
    expect(BESIDE_PORTALS.rest + 1).toBe(
      need({ documents: 0 }).importSecondsBeside / need({ documents: 0 }).importSeconds,
    );
    expect(readFileSync(PAGE, "utf8")).toContain(
      `(${defaultLimits("production").SMS_KNOWN_TOTAL_PER_HOUR} in production)`,
    );
  });
});

describe("the reckoning of what customers need", () => {
  it("gives enough portals for the busiest minute, with processors no busier than assumed", () => {
    for (const customers of [10_000, 300_000, 3_000_000, 30_000_000]) {
      const { portals, peak, portalCores } = need({ customers });
      expect(portals).toBeGreaterThanOrEqual(2);
      expect(portals * mostOfPortal(figures, USUAL).perSecond * USUAL.busy).toBeGreaterThanOrEqual(peak);
      expect(portalCores * USUAL.busy).toBeCloseTo((peak * visitMs(figures, USUAL.trusted)) / 1000);
    }
  });

  it("grows with customers and visits, and only the audit's part with the months it is kept", () => {
    const [one, two] = [need(), need({ customers: 600_000 })];
    for (const key of ["peak", "databaseBytes", "messagesAMonth", "walBytesADay"] as const)
      expect(two[key] / one[key]).toBeCloseTo(2);
    expect(need({ auditMonths: 48 }).auditBytes).toBeCloseTo(2 * one.auditBytes);
    expect(need({ auditMonths: 48 }).customerBytes).toBe(one.customerBytes);
    expect(need({ visits: 4 }).messagesAMonth).toBeCloseTo(2 * one.messagesAMonth);
  });

  it("needs no codes where every device is trusted, and fewer processors than where none is", () => {
    const trusted = need({ trusted: 1 });
    expect([trusted.messagesAMonth, trusted.codesInTheHour]).toEqual([0, 0]);
    expect(trusted.portalCores).toBeLessThan(need({ trusted: 0 }).portalCores);
  });

  it("gains from more hashes at once only where hashes take longer than pages", () => {
    const most = (hashMs: number, hashParallel: number) => {
      const priced = { ...figures, postgres: { ...figures.postgres, hashMs } };
      return mostOfPortal(priced, { ...USUAL, hashParallel }).perSecond;
    };
    const visit = visitMs(figures, USUAL.trusted);
    expect(most(0.9 * visit, 2)).toBeCloseTo(2 * most(0.9 * visit, 1));
    expect(most(0.1 * visit, 2)).toBe(most(0.1 * visit, 1));
  });
});
