import { describe, expect, it } from "vitest";
import { PURPOSES } from "~/contract/purposes";
import { COUNTED } from "~/i18n/texts.server";
import { septets, smsFaults, smsTexts, unboundCodes } from "~/i18n/sms-texts.server";
import { ENGLISH_TEXTS, KEYS, TEXTS } from "./every-text";

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
});

/** Lists of allowed username characters, which aren't sentences. */
const LISTS = new Set(["validation:username.chars", "username:change.ruleChars"]);

describe.each([
  { language: "Polish", texts: TEXTS, opening: "„", quotes: /["“‟«»‘’']/ },
  { language: "English", texts: ENGLISH_TEXTS, opening: "“", quotes: /["„‟«»']/ },
])("the typography of $language", ({ texts, opening, quotes }) => {
  it.each([
    ["never shouts", /!/],
    ["has quotation marks of its own", quotes],
    ["has one character for three dots", /\.\.\./],
    ["has a – with spaces for a dash between words", / [-—] |\p{L}–\p{L}\p{L}|\p{L}\p{L}–\p{L}/u],
    ["has a – without spaces in a range of numbers", /\d\s*-\s*\d|\d\s+–|\d–\s+\d|\}\}(\s+–\s*|–\s+)\{\{/],
    ["has no double spaces, and none at an end", / {2}|^\s|\s$/],
    ["has no space before a mark of punctuation", / [,.;:?]/],
    ["has plain spaces: hard ones are added to all texts later", /[\u00a0\u202f\u2009\u00ad\u200b]/],
  ])("%s", (_what, pattern) => {
    expect(texts.filter(({ key, text }) => !LISTS.has(key) && pattern.test(text))).toEqual([]);
  });

  it("closes quotation marks and brackets", () => {
    const count = (text: string, character: string) => text.split(character).length;
    const isBalanced = (text: string) =>
      count(text, opening) === count(text, "”") && count(text, "(") === count(text, ")");
    expect(texts.filter(({ text }) => !isBalanced(text))).toEqual([]);
  });

  it("keeps a sentence to 24 words", () => {
    const sentences = texts.flatMap(({ text }) => text.split(/(?<=[.?:…]) /));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 24)).toEqual([]);
  });

  it("is NFC, so that searches find what is shown", () => {
    expect(texts.filter(({ text }) => text !== text.normalize("NFC"))).toEqual([]);
  });
});

describe("gaps to fill in", () => {
  const GAP = new RegExp(`\\{\\{(\\w+)(?:, (?:hour|phone|${COUNTED.join("|")}))?\\}\\}`, "g");

  it("are well formed", () => {
    expect(TEXTS.filter(({ text }) => /[{}]|\$t\(/.test(text.replace(GAP, "")))).toEqual([]);
  });

  it("are the same in all forms of a plural", () => {
    const gaps = (text: string) => [...text.matchAll(GAP)].map(([, name]) => name).toSorted();
    const texts = new Map(TEXTS.map(({ key, text }) => [key, text]));
    for (const [key, text] of texts) {
      const one = texts.get(key.replace(/_(few|many|other)$/, "_one"));
      if (one !== undefined) expect(gaps(text), key).toEqual(gaps(one));
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
