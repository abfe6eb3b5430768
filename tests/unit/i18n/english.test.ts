import { describe, expect, it } from "vitest";
import { ENGLISH_TEXTS } from "./every-text";

const offending = (pattern: RegExp, except: readonly string[] = []) =>
  ENGLISH_TEXTS.filter(({ key, text }) => !except.includes(key) && pattern.test(text)).map(
    ({ key, text }) => `${key}: ${text}`,
  );

describe("the English words", () => {
  it.each([
    ["“sign in”, not log in", /\blog(ged|ging)?[ -]?(in|out|on|off)\b/i],
    ["“username”, not login or user name", /\blogin\b|user names?\b/i],
    ["“username”, not ID", /\bID\b/],
    [
      "“authorisation code”, not a PIN, a token or a verification code",
      /\bPIN\b|token|verification|one-time/i,
    ],
    ["“text message”, not SMS or text alone", /\bSMS\b|\btexts?\b(?! messages?)/i],
    [
      "“portal”, not system, service or application",
      /\bservice|(?<!authenticator |banking )\bapp\b|\bwebsite/i,
    ],
    ["“policy or application number”, not contract number", /contract number/i],
    ["“helpline”, not call centre or hotline", /call cent|hotline/i],
    ["“phone”, not telephone or mobile", /telephone|\bmobile/i],
    ["British, not American spelling", /authoriz|recogniz|\bcolor|\bcenter|airplane|canceled/i],
    // Not the possessive: "the customer’s details".
    [
      "full forms, which are easier to read",
      /n[’']t\b|[’'](ll|re|ve|d|m)\b|\b(it|that|this|there|here|what|who|how|where|let|he|she)[’']s\b/i,
    ],
  ])("say %s", (_what, pattern) => {
    expect(offending(pattern)).toEqual([]);
  });

  it("never shout, and keep a sentence to 24 words", () => {
    expect(offending(/!/)).toEqual([]);
    const sentences = ENGLISH_TEXTS.flatMap(({ text }) => text.split(/(?<=[.?:…]) /));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 24)).toEqual([]);
  });

  it("have no Polish letters", () => {
    expect(offending(/[ąćęłńóśźż]/i)).toEqual([]);
  });
});

describe("English typography", () => {
  it.each([
    ["quotation marks are “ and ”", /["„‟«»']/],
    ["three dots are one character", /\.\.\./],
    ["a dash between words is –, with spaces", / [-—] |\p{L}–\p{L}\p{L}|\p{L}\p{L}–\p{L}/u],
    ["there are no double spaces, and none at an end", / {2}|^\s|\s$/],
    ["no space stands before a mark of punctuation", / [,.;:?]/],
    ["spaces are plain", /[\u00a0\u202f\u2009\u00ad\u200b]/],
  ])("%s", (_what, pattern) => {
    // A list of allowed username characters isn't a sentence.
    expect(offending(pattern, ["validation:username.chars", "username:change.ruleChars"])).toEqual([]);
  });

  it("closes quotation marks and brackets", () => {
    const count = (text: string, character: string) => text.split(character).length;
    const unbalanced = ENGLISH_TEXTS.filter(
      ({ text }) => count(text, "“") !== count(text, "”") || count(text, "(") !== count(text, ")"),
    );
    expect(unbalanced).toEqual([]);
  });
});
