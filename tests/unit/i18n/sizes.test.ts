import { expect, it } from "vitest";
import { fileSize } from "~/i18n/times.server";

it.each([
  [0, "1 kB", "1 kB"],
  [1, "1 kB", "1 kB"],
  [1000, "1 kB", "1 kB"],
  [1001, "2 kB", "2 kB"],
  [38_000, "38 kB", "38 kB"],
  [999_000, "999 kB", "999 kB"],
  [999_001, "1 MB", "1 MB"],
  [1_240_000, "1,2 MB", "1.2 MB"],
  [10_000_000, "10 MB", "10 MB"],
])("%i bytes are %s, and in English %s, and never break apart", (bytes, polish, english) => {
  const unbroken = (text: string) => text.replace(" ", "\u00A0");
  expect(fileSize({ language: "pl" }, bytes)).toBe(unbroken(polish));
  expect(fileSize({ language: "en" }, bytes)).toBe(unbroken(english));
});
