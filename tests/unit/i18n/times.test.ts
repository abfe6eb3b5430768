import { expect, it } from "vitest";
import { clockTimeInPoland, dayInPoland, fullHour, timeInPoland } from "~/i18n/times.server";

const POLISH = { language: "pl" } as const;
const ENGLISH = { language: "en" } as const;

it.each([
  ["2026-11-20T11:05:00Z", "12:05", "12:05pm"],
  ["2026-11-20T08:05:00Z", "9:05", "9:05am"],
  ["2026-07-10T22:30:00Z", "0:30", "12:30am"],
  ["2026-03-29T00:59:00Z", "1:59", "1:59am"],
  ["2026-03-29T01:00:00Z", "3:00", "3:00am"],
  ["2026-10-25T00:30:00Z", "2:30", "2:30am"],
  ["2026-10-25T01:30:00Z", "2:30", "2:30am"],
])(
  "[F19] %s is %s on a clock in Poland, and in English %s: written like a full hour",
  (time, polish, english) => {
    expect(clockTimeInPoland(POLISH, Date.parse(time))).toBe(polish);
    expect(clockTimeInPoland(ENGLISH, Date.parse(time))).toBe(english);
  },
);

it.each([
  ["2026-11-20", "20 listopada 2026"],
  ["2026-01-01", "1 stycznia 2026"],
  ["2026-12-31T23:30:00.000Z", "1 stycznia 2027"],
  ["2026-06-30T22:00:00.000Z", "1 lipca 2026"],
  ["2026-06-30T21:59:59.999Z", "30 czerwca 2026"],
])("%s is %s in Poland, and never breaks apart", (iso, day) => {
  expect(dayInPoland(POLISH, iso)).toBe(day.replaceAll(" ", "\u00A0"));
});

it("the same day has an English name in English", () => {
  expect(dayInPoland(ENGLISH, "2026-12-31T23:30:00.000Z")).toBe("1\u00A0January\u00A02027");
});

it("a problem page shows date and time", () => {
  expect(timeInPoland(POLISH, Date.parse("2026-11-20T11:05:00Z"))).toBe("20.11.2026, 12:05");
  expect(timeInPoland(POLISH, Date.parse("2026-12-31T23:05:00Z"))).toBe("1.01.2027, 0:05");
  expect(timeInPoland(ENGLISH, Date.parse("2026-11-20T11:05:00Z"))).toBe("20/11/2026, 12:05pm");
});

it.each([
  [0, "0:00", "12am"],
  [9, "9:00", "9am"],
  [12, "12:00", "12pm"],
  [18, "18:00", "6pm"],
  [24, "24:00", "12am"],
])("the full hour %i is %s, and in English %s", (hour, polish, english) => {
  expect([fullHour(POLISH, hour), fullHour(ENGLISH, hour)]).toEqual([polish, english]);
});
