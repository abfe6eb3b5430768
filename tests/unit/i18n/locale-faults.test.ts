import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "~/i18n/languages";
import { localeFaults, readEveryFolder, type Texts } from "~/i18n/locale-faults.server";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const every = readEveryFolder(ROOT);
const polish = every.get("pl") ?? new Map<string, string>();
const english = every.get("en") ?? new Map<string, string>();
/** The faults of two languages, or three. */
const faults = (pl: Texts, en: Texts, others: Readonly<Record<string, Texts>> = {}) =>
  localeFaults(new Map([["pl", pl], ["en", en], ...Object.entries(others)]), [
    "pl",
    "en",
    ...Object.keys(others),
  ]);

const without = (texts: ReadonlyMap<string, string>, key: string) =>
  new Map([...texts].filter(([candidate]) => candidate !== key));
const having = (texts: ReadonlyMap<string, string>, key: string, text: string) =>
  new Map([...texts, [key, text]]);

describe("the languages", () => {
  it("have the same keys and gaps, and each its own plural forms", () => {
    expect(localeFaults(every)).toEqual([]);
    for (const [language, texts] of every) expect(texts.size, language).toBeGreaterThan(250);
  });
});

describe("what the build refuses, by name", () => {
  it("a key that English lacks", () => {
    expect(faults(polish, without(english, "signIn:header"))).toEqual(["locales/en lacks signIn:header"]);
  });

  it("a text message in English, which would never be sent", () => {
    expect(faults(polish, having(english, "sms:login", "{{code}}"))).toEqual([
      "locales/pl lacks sms:login, which locales/en has",
    ]);
  });

  it.each([
    [
      "pl",
      "few, many, one, other",
      "few, many, other",
      without(polish, "validation:summary.title_one"),
      english,
    ],
    ["en", "one, other", "other", polish, without(english, "validation:summary.title_one")],
    [
      "en",
      "one, other",
      "few, one, other",
      polish,
      having(english, "validation:summary.title_few", "{{count}}"),
    ],
  ])("a plural in %s that is not %s", (language, wanted, has, pl, en) => {
    expect(faults(pl, en)).toEqual([
      `locales/${language} has validation:summary.title as ${has}, and needs ${wanted}`,
    ]);
  });

  it("a gap that the other language doesn't have", () => {
    expect(faults(polish, having(english, "signIn:safety", "Check {{hots}}."))).toEqual([
      "locales/en fills in {{hots}} at signIn:safety, and locales/pl {{host}}",
    ]);
    expect(faults(polish, having(english, "a11y", ""))).toEqual([
      "locales/pl lacks a11y, which locales/en has",
    ]);
  });

  it("a folder without a line, and a line without a folder", () => {
    expect(localeFaults(every, [...LANGUAGES, "qaa"])).toEqual(["locales/qaa is missing"]);
    expect(
      localeFaults(
        every,
        LANGUAGES.filter((language) => language !== "en"),
      ),
    ).toEqual(["locales/en has no line in app/i18n/locales.ts"]);
  });

  it("anything a third language lacks, naming that language", () => {
    expect(faults(polish, english, { de: english })).toEqual([]);
    expect(faults(polish, english, { de: without(english, "signIn:header") })).toEqual([
      "locales/de lacks signIn:header",
    ]);
    expect(faults(polish, english, { uk: english })).toContain(
      "locales/uk has validation:summary.title as one, other, and needs few, many, one, other",
    );
  });
});
