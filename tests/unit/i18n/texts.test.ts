import { describe, expect, it } from "vitest";
import { PURPOSES } from "~/contract/purposes";
import { allTexts } from "~/i18n/all-texts.server";
import { addHardSpaces, holdTogether } from "~/i18n/hard-spaces";
import { LANGUAGES } from "~/i18n/languages";
import { smsTexts } from "~/i18n/sms-texts.server";
import { figures, textsIn } from "~/i18n/texts.server";
import { languageOf, textsFor } from "~/visit/browser.server";

const asking = (headers: Readonly<Record<string, string>> = {}) =>
  new Request("http://portal.example/home", { headers });

describe("hard spaces", () => {
  it.each([
    ["Hasło i kod", "Hasło i\u00a0kod"],
    ["I tak", "I\u00a0tak"],
    ["a i o u w z x", "a\u00a0i\u00a0o\u00a0u\u00a0w\u00a0z\u00a0x"],
    ["(w portalu)", "(w\u00a0portalu)"],
    ["„o tym”", "„o\u00a0tym”"],
    ["do kodu", "do kodu"],
    ["moja i\u00a0twoja", "moja i\u00a0twoja"],
    ["Krok 1 z 2", "Krok 1 z\u00a02"],
    ["", ""],
  ])("%j becomes %j", (plain, tied) => {
    expect(addHardSpaces({ text: plain })).toEqual({ text: tied });
  });

  it.each([
    ["kod z SMS-a", "kod z\u00a0SMS\u2011a"],
    ["SMS-em, SMS-y", "SMS\u2011em, SMS\u2011y"],
    ["9-18", "9-18"],
  ])("[F19] %j doesn't break at its hyphen", (plain, tied) => {
    expect(addHardSpaces({ text: plain })).toEqual({ text: tied });
  });

  it.each([
    ["{{opens, hour}}–{{closes, hour}}", "{{opens, hour}}\u2060–\u2060{{closes, hour}}"],
    ["cyfry: 0–9", "cyfry: 0\u2060–\u20609"],
    ["a–z, A–Z", "a\u2060–\u2060z, A\u2060–\u2060Z"],
    ["Closed now – call", "Closed now – call"],
    ["the characters @ . - _", "the characters @\u00a0.\u00a0-\u00a0_"],
    ["a e-mail - or not", "a e-mail - or not"],
    ["za {{count}} minut", "za {{count}}\u00a0minut"],
    ["{{usernameMin}} to {{usernameMax}} characters", "{{usernameMin}} to {{usernameMax}}\u00a0characters"],
    ["od {{from}} do {{to}}", "od {{from}} do\u00a0{{to}}"],
    ["PESEL, 11 digits", "PESEL, 11\u00a0digits"],
    ["{{brand}} potwierdza", "{{brand}} potwierdza"],
  ])(
    "%j doesn't break at its dash, between its marks, after its figure, or before its end",
    (plain, whole) => {
      expect(holdTogether({ text: plain })).toEqual({ text: whole });
    },
  );

  it.each(LANGUAGES)("[F19] stand between a figure and what it counts, in every text of %s", (language) => {
    const numbers = Object.entries(figures()).filter(([, value]) => typeof value === "number");
    const gap = new RegExp(`\\{\\{(?:count|max|${numbers.map(([name]) => name).join("|")})\\}\\}`, "g");
    const texts: string[] = [];
    JSON.stringify(allTexts()[language], (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value.replace(gap, "15"));
      return value;
    });
    expect(texts.filter((text) => /15\u00a0\p{L}/u.test(text)).length).toBeGreaterThan(20);
    // From one figure to another, as in "12 do 50", a line may break.
    expect(texts.filter((text) => /\d (?!do |to )\p{L}/u.test(text))).toEqual([]);
  });

  it("are in the texts, but not in values filled in", () => {
    const t = textsIn();
    expect(t("common:a11y.step", { current: 1, total: 2 })).toBe("Krok 1 z\u00a02");
    expect(t("layout:header.loggedAs", { name: "Ewa i Jan" })).toBe("Zalogowano: Ewa i Jan");
  });

  it("after short words are in Polish texts only", () => {
    expect(textsIn("en")("password:checklist.uppercase")).toBe("at least one capital letter");
    expect(textsIn("en")("password:set.lead")).not.toContain("\u00a0");
  });
});

describe("the language", () => {
  it.each(["", "en", "en-US,en;q=0.9", "uk,pl;q=0.1", "*", "x".repeat(4000)])(
    "is Polish, whatever the browser asks for (%j)",
    async (accept) => {
      const request = new Request("http://portal.example/home?lng=en", {
        headers: { ...(accept !== "" && { "Accept-Language": accept }), Cookie: "lng=en; i18next=de" },
      });
      expect(await languageOf(request)).toBe("pl");
      expect((await textsFor(request))("signIn:header")).toBe("Zaloguj się");
    },
  );

  it("is English for a visitor who has chosen it, whatever the browser asks for", async () => {
    const request = asking({ Cookie: "accepted-cookies=true; language=en", "Accept-Language": "pl" });
    expect(await languageOf(request)).toBe("en");
    const t = await textsFor(request);
    expect([t.language, t("signIn:header")]).toEqual(["en", "Sign in"]);
    expect(t("validation:summary.title", { count: 1 })).toBe("Correct 1\u00a0error");
    expect(t("validation:summary.title", { count: 2 })).toBe("Correct 2\u00a0errors");
  });

  it.each(["pl", "", "xx", "*", "x".repeat(4000), "%00", "__proto__", "[object Object]"])(
    "stays Polish with the cookie %j",
    async (value) => {
      expect(await languageOf(asking({ Cookie: `language=${value}` }))).toBe("pl");
    },
  );
});

describe("what is filled into a text", () => {
  it("is taken literally: no key, gap or markup in it is read", () => {
    const t = textsIn();
    for (const name of ["{{brand}}", "$t(login:header)", "<b>Anna</b> & 'Ewa'", "$&", "__proto__"]) {
      expect(t("layout:header.loggedAs", { name })).toBe(`Zalogowano: ${name}`);
    }
  });

  it("is not remembered: the same text can be filled in with something else", () => {
    const t = textsIn();
    for (const name of ["Anna", "Ewa", "Anna"])
      expect(t("layout:header.loggedAs", { name })).toBe(`Zalogowano: ${name}`);
    const counted = [1, 2, 1].map((count) => t("validation:summary.title", { count }));
    expect(counted).toEqual([counted[0], t("validation:summary.title", { count: 2 }), counted[0]]);
    expect(counted[0]).not.toBe(counted[1]);
  });
});

describe("text messages", () => {
  it.each(PURPOSES)("to %s name no host that is unknown or looks like a code", (purpose) => {
    for (const host of [undefined, "portal-123456.example"]) {
      const text = smsTexts("Tarnea")[purpose]({ code: "012345", host });
      expect(text.match(/\d{6}/g)).toEqual(["012345"]);
      expect(text).not.toContain("@");
    }
  });
});
