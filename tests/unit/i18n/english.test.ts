import { describe, expect, it } from "vitest";
import { ENGLISH_TEXTS } from "./every-text";

const offending = (pattern: RegExp) => ENGLISH_TEXTS.filter(({ text }) => pattern.test(text));

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

  it("have no Polish letters", () => {
    expect(offending(/[ąćęłńóśźż]/i)).toEqual([]);
  });
});
