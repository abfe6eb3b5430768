import { expect, it } from "vitest";
import { auditSource } from "~/operators/kit/operator-act.server";
import { birthYearOf, holdsPersonalNumber } from "~/backend/support/personal-numbers.server";
import { ANNA, PIOTR } from "../../demo-customers";

it.each([
  ANNA.pid,
  "850214-00129",
  "85 02 14 00129",
  "8502\u00A01400129",
  "85\u201302\u201314\u201300129",
  "8 5 0 2 1 4 0 0 1 2 9",
  "8502 1400129 dzwoni",
  "tel. 22 i 850214 00129",
  "\uFF18\uFF15021400129",
  "12345678901",
  PIOTR.pid,
  "500100001",
  "500 100 001",
  "+48500100001",
  "0048 500-100-001",
  "48500100001",
  "0500/100/001",
  "(+48) 500 100 001",
  "22 100 20 99",
  "+48 22 100 20 99",
  "+49 151 23456789",
  "call 12, tel:500.100.001",
])("[S97] takes no reason with a PESEL or a phone number: %j", (number) => {
  expect(holdsPersonalNumber(number)).toBe(true);
  const reason = `klient ${number}`;
  expect(() => auditSource({ operator: "ewa.z", reason })).toThrow("--reason: expected no PESEL");
});

it.each([
  "call 1234",
  "sprawa 8502140012",
  "ZG/2026/001234",
  "28.11.2026 14:05",
  "000123456",
  "zgłoszenie 123 456 789",
  "8502140012 8",
  "850214-00128",
  "POL-100001",
  "2026-11-28, 1 raz",
])("takes a reason with the number of a case or a day: %j", (reason) => {
  expect(holdsPersonalNumber(reason)).toBe(false);
});

it.each([
  ["85021400129", 1985],
  ["05310112345", 2005],
  ["99923112345", 1899],
  ["85023012345", undefined],
  ["123", undefined],
])("reads the year of birth of %s: %s", (pesel, year) => {
  expect(birthYearOf(pesel)).toBe(year);
});
