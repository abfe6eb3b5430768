import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { readEveryFolder } from "~/i18n/locale-faults.server";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Texts whose figures aren't our rules: lengths of state-issued numbers, the ten digits, a law and its standards. */
const FACTS = [
  "accessibility:standard.text",
  "register:pid.individual",
  "register:pid.company",
  "documentPassword:chars.digits",
];

/** Loads the texts with the variables or rules that a test has set. */
const freshTexts = async () => (await import("~/i18n/texts.server")).textsIn;

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it("no text in any language hard-codes a figure: rules and limits are filled in", () => {
  const written = [...readEveryFolder(ROOT)].flatMap(([language, texts]) =>
    [...texts]
      .filter(
        ([key, text]) => !FACTS.includes(key) && /\d/.test(text.replaceAll(/\{\{[^}]+\}\}|24-hour/g, "")),
      )
      .map(([key, text]) => `${language} ${key}: ${text}`),
  );
  expect(written).toEqual([]);
});

describe("the figures in texts", () => {
  it("are those that the product ships with", async () => {
    const textsIn = await freshTexts();
    const [pl, en] = [textsIn(), textsIn("en")];
    expect(pl("validation:password.length")).toBe("Wpisz od 12 do 50\u00a0znaków.");
    expect(en("validation:username.length")).toBe("Enter 5 to 50\u00a0characters.");
    expect(pl("signInCode:why.item1")).toBe(
      `Minęło ${LIMITS.TRUSTED_DEVICE_DAYS}\u00a0dni od dodania urządzenia do zaufanych.`,
    );
    expect(pl("username:change.limit")).toBe(
      "Nazwę można zmienić najwyżej 3\u00a0razy w\u00a0ciągu 30\u00a0dni.",
    );
    expect(en("username:change.limit")).toBe(
      "You can change your username up to 3\u00a0times in 30\u00a0days.",
    );
    expect(pl("cookies:basic.text")).toContain("najwyżej 30\u00a0dni.");
    expect(pl("errors:modal.015.message")).toContain("najwyżej 3\u00a0razy w\u00a0ciągu 30\u00a0dni.");
  });

  it.each([
    ["22 100 20 30,800 100 200", "800\u00a0100\u00a0200 (bezpłatnie)."],
    ["800 100 200,22 100 20 30", "800\u00a0100\u00a0200 (bezpłatnie)."],
    ["22 100 20 30,801 100 200", "22\u00a0100\u00a020\u00a030."],
  ])(
    "[F11] name the free one of the phone numbers %j where there is room for one, or else the first",
    async (phones, named) => {
      vi.stubEnv("BRAND_PHONES", phones);
      const textsIn = await freshTexts();
      expect(textsIn()("service:what").endsWith(` ${named}`)).toBe(true);
    },
  );

  it("are those of the limits in force, with the matching form of the noun", async () => {
    vi.stubEnv("LIMIT_TRUSTED_DEVICE_DAYS", "22");
    vi.stubEnv("LIMIT_USERNAME_CHANGES", "1");
    vi.stubEnv("LIMIT_USERNAME_CHANGE_DAYS", "1");
    const textsIn = await freshTexts();
    const [pl, en] = [textsIn(), textsIn("en")];
    expect(pl("username:change.limit")).toBe(
      "Nazwę można zmienić najwyżej 1\u00a0raz w\u00a0ciągu 1\u00a0dnia.",
    );
    expect(en("username:change.limit")).toBe("You can change your username up to 1\u00a0time in 1\u00a0day.");
    for (const key of ["signInCode:trust.hint", "signInCode:why.item1", "cp:profile.devicesText"] as const) {
      expect(pl(key), key).toContain("22\u00a0dni");
      expect(en(key), key).toContain("22\u00a0days");
    }
  });
});
