import { describe, expect, it } from "vitest";
import { readMomentInPoland } from "~/platform/time.server";

describe("a moment that an operator types", () => {
  it.each([
    ["2026-11-27T06:00", "2026-11-27T05:00:00.000Z"],
    ["2026-11-27 06:00:30", "2026-11-27T05:00:30.000Z"],
    ["2026-07-01T06:00", "2026-07-01T04:00:00.000Z"],
    ["2026-07-01T00:30", "2026-06-30T22:30:00.000Z"],
    ["2026-11-27T06:00Z", "2026-11-27T06:00:00.000Z"],
    ["2026-11-27T06:00:00.250-02:00", "2026-11-27T08:00:00.250Z"],
    // Clocks are put back at 3:00; the offset says which of the two it is.
    ["2026-10-25T02:30+02:00", "2026-10-25T00:30:00.000Z"],
    ["2026-10-25T02:30+01:00", "2026-10-25T01:30:00.000Z"],
    ["2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
  ])("%s is %s: without an offset it is Polish time", (typed, moment) => {
    expect(new Date(readMomentInPoland(typed) ?? Number.NaN).toISOString()).toBe(moment);
  });

  it.each([
    ["clocks show it twice", "2026-10-25T02:30"],
    ["clocks skip it", "2027-03-28T02:30"],
    ["there is no such day", "2026-02-31T10:00"],
    ["there is no such day", "2026-02-31T10:00Z"],
    ["there is no such hour", "2026-11-27T25:00"],
    ["it is a day alone", "2026-11-27"],
    ["it is a word", "jutro"],
    ["there is nothing", ""],
  ])("%s: %s is refused", (_why, typed) => {
    expect(readMomentInPoland(typed)).toBeUndefined();
  });
});
