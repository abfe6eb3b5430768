import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { localeFaults, readTexts } from "~/i18n/locale-faults.server";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const polish = readTexts(ROOT, "pl");
const english = readTexts(ROOT, "en");

const without = (texts: ReadonlyMap<string, string>, key: string) =>
  new Map([...texts].filter(([candidate]) => candidate !== key));
const having = (texts: ReadonlyMap<string, string>, key: string, text: string) =>
  new Map([...texts, [key, text]]);

describe("the two languages", () => {
  it("say the same: the same keys, the plural forms of each, the same gaps to fill in", () => {
    expect(localeFaults(polish, english)).toEqual([]);
    expect(english.size).toBeGreaterThan(250);
  });
});

describe("what the build refuses, by name", () => {
  it("a key that English lacks", () => {
    expect(localeFaults(polish, without(english, "signIn:header"))).toEqual([
      "locales/en lacks signIn:header",
    ]);
  });

  it("a key that Polish lacks", () => {
    expect(localeFaults(without(polish, "signIn:header"), english)).toEqual([
      "locales/pl lacks signIn:header",
    ]);
  });

  it("a text message in English, which nobody would send", () => {
    expect(localeFaults(polish, having(english, "sms:login", "{{code}}"))).toEqual([
      "locales/pl lacks sms:login",
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
    expect(localeFaults(pl, en)).toEqual([
      `locales/${language} has validation:summary.title as ${has}, and needs ${wanted}`,
    ]);
  });

  it("a gap that the other language does not fill in", () => {
    expect(localeFaults(polish, having(english, "signIn:safety", "Check {{hots}}."))).toEqual([
      "locales/en fills in {{hots}} at signIn:safety, and locales/pl {{host}}",
    ]);
    expect(localeFaults(polish, having(english, "a11y", ""))).toEqual(["locales/pl lacks a11y"]);
  });
});
