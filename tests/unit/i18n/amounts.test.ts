import { expect, it } from "vitest";
import { amountText, dueDay } from "~/i18n/times.server";

it.each([
  ["129.00", "PLN", "129,00 zł", "PLN 129.00"],
  ["1234.50", "PLN", "1 234,50 zł", "PLN 1,234.50"],
  ["0.01", "PLN", "0,01 zł", "PLN 0.01"],
  ["9999999.99", "PLN", "9 999 999,99 zł", "PLN 9,999,999.99"],
  ["129.00", "EUR", "129,00 EUR", "EUR 129.00"],
] as const)(
  "[F65] %s %s is written %s, and in English %s, and never breaks apart",
  (amount, currency, pl, en) => {
    const unbroken = (text: string) => text.replaceAll(" ", "\u00A0");
    expect(amountText({ language: "pl" }, { amount, currency })).toBe(unbroken(pl));
    expect(amountText({ language: "en" }, { amount, currency })).toBe(unbroken(en));
  },
);

it("an amount is written digit by digit, where a floating-point number would be another one", () => {
  const amount = "99999999999999999.99";
  expect(amountText({ language: "en" }, { amount, currency: "EUR" })).toBe(
    "EUR\u00A099,999,999,999,999,999.99",
  );
});

it.each([
  ["2026-12-10", "10 grudnia", "10 December"],
  ["2027-01-05", "5 stycznia 2027", "5 January 2027"],
  ["2025-12-31", "31 grudnia 2025", "31 December 2025"],
])("[F65] %s, seen in November 2026, is %s, and in English %s", (day, pl, en) => {
  const unbroken = (text: string) => text.replaceAll(" ", "\u00A0");
  expect(dueDay({ language: "pl" }, day, "2026-11-28")).toBe(unbroken(pl));
  expect(dueDay({ language: "en" }, day, "2026-11-28")).toBe(unbroken(en));
});
