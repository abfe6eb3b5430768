import { expect, it } from "vitest";
import type { Language } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { calendarOf } from "~/journeys/customer-area/calendar";
import { withVariables } from "~/platform/config/environment.server";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const POLICY = {
  id: "b3e6c2",
  policyNo: "POL-100001",
  name: "Mieszkanie, ul. Żółta; 5\nBCC:x",
  validFrom: "2026-01-01",
  validTo: "2026-12-31",
  insured: "Anna Nowak",
  premium: {
    amount: "129.00",
    currency: "PLN",
    dueOn: "2026-12-10",
    paidUntil: null,
    account: "PL61109010140000071219812874",
    title: "Składka Anny Nowak",
  },
} as const;

/** The calendar's lines, unfolded (RFC 5545 §3.1). */
function lines(policy: Parameters<typeof calendarOf>[1] = POLICY, language: Language = "pl", now = NOW) {
  const file = calendarOf(textsIn(language), policy, now) ?? "";
  return file.replaceAll("\r\n ", "").split("\r\n");
}

it("[F67] the end of cover and the day when the premium is due are whole days", () => {
  const all = lines();
  expect(all.filter((line) => line.startsWith("DTSTART"))).toEqual([
    "DTSTART;VALUE=DATE:20261210",
    "DTSTART;VALUE=DATE:20261231",
  ]);
  expect(all.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(2);
});

const WEEK = "TRIGGER:-P6DT15H";
const DAY = "TRIGGER:-PT15H";
const triggers = (now: string) =>
  lines({ ...POLICY, validTo: "2026-01-01" }, "pl", Date.parse(now)).filter((line) =>
    line.startsWith("TRIGGER"),
  );

it("[F67] each has alarms on the mornings a week and a day before: 9:00 is 15 hours less than the days", () => {
  const all = lines();
  expect(all.filter((line) => line.startsWith("TRIGGER"))).toEqual([WEEK, DAY, WEEK, DAY]);
  expect(all.filter((line) => line === "ACTION:DISPLAY")).toHaveLength(4);
});

it.each([
  ["2026-12-03T07:59:00Z", [WEEK, DAY]],
  ["2026-12-03T08:00:00Z", [DAY]],
  ["2026-12-09T07:59:00Z", [DAY]],
  ["2026-12-09T08:00:00Z", []],
  ["2026-12-10T20:00:00Z", []],
])("[F67] at %s only the alarms to come are there, in Poland's time", (now, left) => {
  expect(triggers(now)).toEqual(left);
});

it("[F67] the whole days leave the customer free", () => {
  expect(lines().filter((line) => line.startsWith("TRANSP"))).toEqual([
    "TRANSP:TRANSPARENT",
    "TRANSP:TRANSPARENT",
  ]);
});

it("[F67] a moved day has a larger revision, by the day of the import that moved it, if that is known", () => {
  const revision = (changedOn?: string) =>
    lines({ ...POLICY, changedOn }).filter((line) => /^(SEQUENCE|LAST-MODIFIED)/.test(line));
  expect(revision("2020-01-02").slice(0, 2)).toEqual(["SEQUENCE:1", "LAST-MODIFIED:20200102T000000Z"]);
  expect(revision("2026-11-28").slice(0, 2)).toEqual(["SEQUENCE:2523", "LAST-MODIFIED:20261128T000000Z"]);
  expect(revision()).toEqual(["SEQUENCE:0", "SEQUENCE:0"]);
});

it("[F67] cover without an end has no day for it", () => {
  const all = lines({ ...POLICY, validTo: "9999-12-31" });
  expect(all.filter((line) => line.startsWith("SUMMARY"))).toEqual([expect.stringContaining("składki")]);
});

it("[F67] the insurer's name is escaped like any text", () => {
  const all = withVariables({ BRAND_NAME: "Dach, Mur; TU" }, () => lines());
  expect(all).toContain("PRODID:-//Dach\\, Mur\\; TU//portal//PL");
});

it("every line ends with CRLF, and none is longer than 75 bytes", () => {
  const file = calendarOf(textsIn(), { ...POLICY, name: "Żółć ".repeat(40) }, NOW) ?? "";
  expect(file).toMatch(/END:VCALENDAR\r\n$/);
  expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

it("an event keeps its UID when its day moves, and the two events have different ones", () => {
  const uids = (policy: typeof POLICY | object) =>
    lines({ ...POLICY, ...policy }).filter((line) => line.startsWith("UID:"));
  const first = uids({});
  expect(new Set(first).size).toBe(2);
  expect(uids({ validTo: "2027-01-31" })).toEqual(first);
  expect(uids({ id: "another" })).not.toEqual(first);
});

it("[F67] nothing personal but the policy's name stands in it, and the name breaks no line", () => {
  const all = lines();
  const text = all.join("\n");
  expect(text).toContain("SUMMARY:Koniec ochrony: Mieszkanie\\, ul. Żółta\\; 5\\nBCC:x");
  for (const personal of ["POL-100001", "b3e6c2", "129.00", "129,00", "PL61", "Anna", "Nowak"])
    expect(text, personal).not.toContain(personal);
  // Everything that isn't the same for all customers.
  const own = all.filter(
    (line) => !/^($|BEGIN|END|VERSION|PRODID|SEQUENCE|TRANSP|X-MICROSOFT|ACTION|TRIGGER)/.test(line),
  );
  expect(new Set(own.map((line) => line.split(/[:;]/)[0]))).toEqual(
    new Set(["UID", "DTSTAMP", "DTSTART", "SUMMARY", "DESCRIPTION"]),
  );
});

it("its words are in the page's language", () => {
  expect(lines(POLICY, "en").join("\n")).toContain("SUMMARY:Premium due: Mieszkanie");
});

it("a policy without a day ahead has no calendar", () => {
  expect(
    calendarOf(textsIn(), { ...POLICY, premium: undefined }, Date.parse("2027-01-01T12:00Z")),
  ).toBeUndefined();
});
