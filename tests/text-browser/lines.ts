import { expect } from "vitest";
import { yearInPoland } from "~/i18n/times.server";

/** Expects these lines in this order, with any others between them. */
export function expectInOrder(lines: readonly string[], wanted: readonly string[]): void {
  let at = 0;
  const found = wanted.filter((line) => {
    const next = lines.indexOf(line, at);
    if (next >= 0) at = next + 1;
    return next >= 0;
  });
  expect({ found, lines }).toEqual({ found: wanted, lines });
}

/** The first lines of every page. */
export const ABOVE = ["Przejdź do treści", "Tarnea Ubezpieczenia"];
/** The last lines of every page. */
export const BELOW = [
  "Infolinia: 22 100 20 30 lub 800 100 200 (bezpłatnie), od poniedziałku do piątku, 9:00–18:00",
  `© ${yearInPoland(Date.now())} Tarnea Ubezpieczenia. Wszelkie prawa zastrzeżone. Wersja 95.0.2`,
];
