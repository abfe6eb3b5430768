import { describe, expect, it } from "vitest";
import { PURPOSES } from "~/contract/purposes";
import { COUNTED } from "~/i18n/texts.server";
import { septets, smsFaults, smsTexts, unboundCodes } from "~/i18n/sms-texts.server";
import { KEYS, pluralForms, TEXTS } from "./every-text";

/** Matches whole words; `~` stands for any ending. `\b` doesn't know Polish letters. */
function anyOf(words: string, flags = "iu"): RegExp {
  return new RegExp(
    `(?<!\\p{L})(${words.replaceAll("~", "\\p{L}*").replaceAll(", ", "|")})(?!\\p{L})`,
    flags,
  );
}

/** Words that the glossary rules out, and the ones that we write instead. */
const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  [
    "„portal”, not serwis, system or aplikacja",
    anyOf("serwis~, system, systemu, systemem, systemie, systemy"),
  ],
  // On the screens of second factors this is the only app.
  [
    "„aplikacja z kodami”, not aplikacja alone",
    /(?<!\p{L})aplikacj\p{L}+(?!\p{L})(?! z\s?kodami| podaj| banku)/iu,
  ],
  [
    "„nazwa użytkownika”, not login or identyfikator",
    anyOf("login, loginu, loginem, loginie, identyfikator~"),
  ],
  ["„nazwa użytkownika”, not ID", anyOf("ID", "u")],
  [
    "„kod autoryzacyjny”, not a token, a PIN or a verification code",
    anyOf("token~, PIN~, kod~ weryfikacyjn~, hasł~ SMS"),
  ],
  ["„hasło do dokumentów”", anyOf("hasł~ dokumentow~")],
  ["„dodać do zaufanych”", anyOf("zapamięta~ (ten |to )?(komputer|urządzeni)~")],
  ["„numer polisy lub wniosku”", anyOf("numer~ umowy")],
  ["„zaloguj się”, „zapisz”", anyOf("zasign~, zatwierdź formularz")],
  ["„Wstecz”, „Wróć”, „Anuluj”, not Cofnij", anyOf("cofn~")],
  ["„infolinia”, not a call center", anyOf("call center, BOK")],
  ["no past form that has a gender", anyOf("\\p{L}+(łeś|łaś), jesteś (za|wy)logowan~")],
];

/**
 * Texts in which such a word is right: one names the operating system, the other explains what people call a login.
 */
const MEANT = new Set(["common:device.unknownOs", "signIn:username.tooltip"]);

const IS_OF_FACTORS = /^(factors|validation:(appCode|recoveryCode)\b)/;

const offending = (pattern: RegExp, except: ReadonlySet<string> = new Set()) =>
  TEXTS.filter(({ key, text }) => !except.has(key) && pattern.test(text)).map(
    ({ key, text }) => `${key}: ${text}`,
  );

describe("the words", () => {
  it.each(FORBIDDEN)("say %s", (what, pattern) => {
    const isOfFactors = (said: string) => what.includes("z kodami") && IS_OF_FACTORS.test(said);
    expect(offending(pattern, MEANT).filter((said) => !isOfFactors(said))).toEqual([]);
  });

  it("address people with a capital: Ty, Ci, Cię, Twój", () => {
    expect(offending(anyOf("ty, cię, ciebie, tobie, tobą, twój, twoj~, twoi~", "u"))).toEqual([]);
  });

  it("never shout", () => {
    expect(offending(/!/)).toEqual([]);
  });

  it("keep a sentence to 24 words", () => {
    const long = TEXTS.flatMap(({ key, text }) =>
      text.split(/(?<=[.?:…]) /).map((sentence) => ({ key, sentence, words: sentence.split(/\s+/).length })),
    );
    expect(long.filter(({ words }) => words > 24)).toEqual([]);
  });
});

describe("typography", () => {
  it.each([
    ["quotation marks are „ and ”", /["“‟«»‘’']/],
    ["three dots are one character", /\.\.\./],
    ["a dash between words is –, with spaces", / [-—] |\p{L}–\p{L}\p{L}|\p{L}\p{L}–\p{L}/u],
    ["a range of numbers has a – without spaces", /\d\s*-\s*\d|\d\s+–|\d–\s+\d|\}\}(\s+–\s*|–\s+)\{\{/],
    ["there are no double spaces, and none at an end", / {2}|^\s|\s$/],
    ["no space stands before a mark of punctuation", / [,.;:?]/],
    ["spaces are plain here: hard ones are added to all texts later", /[\u00a0\u202f\u2009\u00ad\u200b]/],
  ])("%s", (_what, pattern) => {
    // A list of allowed username characters isn't a sentence.
    const lists = new Set(["validation:username.chars", "username:change.ruleChars"]);
    expect(offending(pattern, lists)).toEqual([]);
  });

  it("closes quotation marks and brackets", () => {
    const count = (text: string, character: string) => text.split(character).length;
    const unbalanced = TEXTS.filter(
      ({ text }) => count(text, "„") !== count(text, "”") || count(text, "(") !== count(text, ")"),
    );
    expect(unbalanced).toEqual([]);
  });

  it("is NFC, so that searches find what is shown", () => {
    expect(TEXTS.filter(({ text }) => text !== text.normalize("NFC"))).toEqual([]);
  });
});

describe("gaps to fill in", () => {
  const GAP = new RegExp(`\\{\\{(\\w+)(?:, (?:hour|phone|${COUNTED.join("|")}))?\\}\\}`, "g");
  const gaps = (text: string) => [...text.matchAll(GAP)].map(([, name]) => name ?? "").toSorted();

  it("are well formed", () => {
    expect(TEXTS.filter(({ text }) => /[{}]|\$t\(/.test(text.replace(GAP, "")))).toEqual([]);
  });

  it("are the same in all four forms of a plural", () => {
    for (const key of KEYS) {
      const forms = pluralForms(key);
      if (forms.length === 0) continue;
      expect(forms.map((form) => form.key.split("_").at(-1)).toSorted(), key).toEqual([
        "few",
        "many",
        "one",
        "other",
      ]);
      for (const form of forms) expect(gaps(form.text), form.key).toEqual(gaps(forms[0]?.text ?? ""));
      expect(gaps(forms[0]?.text ?? ""), key).toContain("count");
    }
  });
});

describe("the helpline", () => {
  it("[F11] a text that says to call names a number, and whether it is free", () => {
    // Contact lists the numbers beside these; an SMS has no room to say which number is free.
    const beside = new Set([
      "cp:contact.before",
      ...KEYS.filter((key) => /^sms:(notice|which)\./.test(key)),
      ...KEYS.filter((key) => key.startsWith("common:helpline.")),
    ]);
    const silent = TEXTS.filter(({ key, text }) => !beside.has(key) && /zadzwo[nń]/i.test(text))
      .filter(({ text }) => !/\{\{phone\d?, phone\}\}/.test(text))
      .map(({ key }) => key);
    expect(silent).toEqual([]);
    expect(TEXTS.filter(({ text }) => /\{\{phone\d?\}\}/.test(text))).toEqual([]);
  });
});

describe("field messages", () => {
  it("[F19] don't name their field again", () => {
    const named = TEXTS.filter(
      ({ key, text }) => /^validation:.*\./.test(key) && /^(Kod|Hasło|Nazwa)\b/.test(text),
    );
    expect(named).toEqual([]);
  });
});

describe("text messages", () => {
  const facts = { code: "012345", host: "portal.tarnea.example" };
  const sent = PURPOSES.map((key) => ({ key, text: smsTexts("Tarnea")[key](facts) }));

  it.each(sent)("$key: one GSM-7 message, so that it arrives in one piece", ({ text }) => {
    expect(septets(text)).toBeLessThanOrEqual(160);
  });

  it.each(sent)(
    "[S31] $key: brand, purpose, code; no link; the last line lets a browser fill the code in",
    ({ text }) => {
      expect(text.split("\n").at(-1)).toBe("@portal.tarnea.example #012345");
      expect(text.split("\n")[0]).toMatch(
        /^Tarnea: kod autoryzacyjny do [a-z ]+: 012345\. Nie podawaj go nikomu\.$/,
      );
      expect(text).not.toMatch(/https?:|www\./);
    },
  );

  it("fit one message even with a long name and host; a name that breaks this is refused", () => {
    const [brand, host] = ["Wielkopolskie", "portal.klienta.wielkopolskie.pl"];
    expect([smsFaults(brand, {}), unboundCodes(brand, host)]).toEqual([[], []]);
    expect([smsFaults("Tarnea", {}), unboundCodes("Tarnea", undefined)]).toEqual([[], []]);
    for (const name of ["Тарнеа", "Tarnea™", "\u{1f6e1}", "T".repeat(120)])
      expect(smsFaults(name, {}), name).toEqual([expect.stringMatching(/^BRAND_NAME: expected/)]);
  });

  it.each([
    ["Tarnea", "a".repeat(60)],
    ["T".repeat(60), "portal.klienta.wielkopolskie.pl"],
  ])(
    "[S31] of %s with the host %s stay one message: without its line, which a warning says",
    (name, host) => {
      const sentBy = PURPOSES.map((key) => smsTexts(name)[key]({ ...facts, host }));
      for (const text of sentBy) expect(septets(text)).toBeLessThanOrEqual(160);
      expect(sentBy.filter((text) => text.includes("@")).length).toBeLessThan(PURPOSES.length);
      expect(unboundCodes(name, host)).toEqual([
        expect.stringMatching(/^PUBLIC_ORIGIN: .*SMS_DOMAIN_BOUND=off/),
      ]);
    },
  );

  it("count a letter of GSM-7's extension as two, and report letters that GSM-7 lacks", () => {
    expect(septets("Aé\n")).toBe(3);
    expect(septets("[€]")).toBe(6);
    expect(["ł", "`", "„", "\u00a0", "Ж"].map(septets)).toEqual(Array(5).fill(undefined));
  });

  it("differ for each purpose", () => {
    expect(new Set(sent.map(({ text }) => text)).size).toBe(PURPOSES.length);
  });
});
