import { describe, expect, it } from "vitest";
import { helplineState } from "~/journeys/customer-area/contact";

const HOURS = { opens: 9, closes: 18 };

describe("the helpline: Monday to Friday, 9:00 to 18:00 in Poland", () => {
  it.each([
    // Winter: an hour ahead of UTC. 20 November 2026 is a Friday.
    ["Friday, 8:59:59", "2026-11-20T07:59:59Z", "closedToday"],
    ["Friday, 9:00", "2026-11-20T08:00:00Z", "openNow"],
    ["Friday, 17:59:59", "2026-11-20T16:59:59Z", "openNow"],
    ["Friday, 18:00", "2026-11-20T17:00:00Z", "closedMonday"],
    ["Friday, 23:59", "2026-11-20T22:59:00Z", "closedMonday"],
    ["Saturday, 0:00", "2026-11-20T23:00:00Z", "closedMonday"],
    ["Saturday, noon", "2026-11-21T11:00:00Z", "closedMonday"],
    ["Sunday, 0:00", "2026-11-21T23:00:00Z", "closedTomorrow"],
    ["Sunday, 23:59", "2026-11-22T22:59:00Z", "closedTomorrow"],
    ["Monday, 0:00", "2026-11-22T23:00:00Z", "closedToday"],
    ["Monday, 9:00", "2026-11-23T08:00:00Z", "openNow"],
    ["Thursday, 18:00", "2026-11-26T17:00:00Z", "closedTomorrow"],
    // Summer: two hours ahead.
    ["a Friday in July, 9:00", "2026-07-10T07:00:00Z", "openNow"],
    ["a Friday in July, 8:59", "2026-07-10T06:59:00Z", "closedToday"],
    ["a Friday in July, 18:00", "2026-07-10T16:00:00Z", "closedMonday"],
    // The clocks change on Sunday, 29 March and 25 October 2026.
    ["the Friday before summer time, 9:00", "2026-03-27T08:00:00Z", "openNow"],
    ["the Monday after, 9:00", "2026-03-30T07:00:00Z", "openNow"],
    ["the Monday after, 18:00", "2026-03-30T16:00:00Z", "closedTomorrow"],
    ["the Friday before winter time, 9:00", "2026-10-23T07:00:00Z", "openNow"],
    ["the Monday after, 8:59", "2026-10-26T07:59:00Z", "closedToday"],
    ["the Monday after, 9:00 again", "2026-10-26T08:00:00Z", "openNow"],
  ])("%s", (_when, time, state) => {
    expect(helplineState(new Date(time), HOURS)).toBe(state);
  });
});
