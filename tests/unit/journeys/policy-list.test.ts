import { describe, expect, it } from "vitest";
import { isoDayInPoland } from "~/platform/time.server";
import { matching } from "~/journeys/customer-area/policies";
import { policyState } from "~/journeys/customer-area/policy-facts";

const TODAY = "2026-11-22";
const policy = (validFrom: string, validTo: string, name = "Mieszkanie", policyNo = "POL-1") => ({
  policyNo,
  name,
  validFrom,
  validTo,
});

describe("the state of a policy", () => {
  it.each([
    ["2026-01-01", "2026-12-23", { kind: "active" }],
    ["2026-01-01", "2026-12-22", { kind: "ending", days: 30 }],
    ["2026-01-01", "2026-11-23", { kind: "ending", days: 1 }],
    ["2026-01-01", "2026-11-22", { kind: "ending", days: 0 }],
    ["2026-01-01", "2026-11-21", { kind: "ended", days: 1 }],
    ["2026-11-22", "2027-11-21", { kind: "active" }],
    ["2026-11-23", "2027-11-22", { kind: "upcoming" }],
  ] as const)("from %s to %s is %j", (from, to, state) => {
    expect(policyState(policy(from, to), TODAY)).toEqual(state);
  });

  it("counts whole days across a clock change", () => {
    expect(policyState(policy("2026-01-01", "2026-10-26"), "2026-10-24")).toEqual({
      kind: "ending",
      days: 2,
    });
  });

  it("changes at midnight in Poland", () => {
    expect(isoDayInPoland(Date.parse("2026-11-21T22:59:59Z"))).toBe("2026-11-21");
    expect(isoDayInPoland(Date.parse("2026-11-21T23:00:00Z"))).toBe("2026-11-22");
    expect(isoDayInPoland(Date.parse("2026-07-01T22:00:00Z"))).toBe("2026-07-02");
  });
});

it.each([
  ["", 2],
  ["łódź", 1],
  ["LODZ", 1],
  ["pol-77", 1],
  ["POL 77", 1],
  ["mieszkanie", 2],
  ["samolot", 0],
])("a search for %j finds %i policies", (typed, count) => {
  const policies = [
    policy("2026-01-01", "2026-12-31", "Mieszkanie w Łodzi, łódź", "POL-77001"),
    policy("2026-01-01", "2026-12-31", "Mieszkanie", "POL-10002"),
  ];
  expect(matching(policies, typed)).toHaveLength(count);
});
