import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readCode,
  readPassword,
  readPid,
  readPolicyNo,
  readUsername,
  usernameKey,
} from "~/contract/identifiers";
import {
  SPECIAL_CHARACTERS,
  illegalDocumentCharacter,
  unmetConditions,
  brokenUsernameRule,
} from "~/contract/rules";
import { processorTime } from "../../processor-time";

const text = fc.string({ unit: "binary", maxLength: 80 });

describe("a password (specification §5)", () => {
  it.each([
    ["eleven characters", "Aa1!aaaaaaa", ["length"]],
    ["twelve characters", "Aa1!aaaaaaaa", []],
    ["fifty characters", `Aa1!${"a".repeat(46)}`, []],
    ["fifty-one characters", `Aa1!${"a".repeat(47)}`, ["length"]],
    ["twelve characters, one of four bytes", "Aa1!aaaaaaa💥", []],
    ["twelve characters, with separate accents", "Zażółć-12345".normalize("NFD"), []],
    ["no upper-case letter", "aa1!aaaaaaaa", ["uppercase"]],
    ["a Polish upper-case letter", "Łaaaaaaaaa1!", []],
    ["an upper-case letter of another language", "Éaaaaaaaaa1!", ["uppercase"]],
    ["no digit", "Aaaaaaaaaaa!", ["digit"]],
    ["a digit of another script", "Aaaaaaaaaa!٣", ["digit"]],
    ["no special character", "Aaaaaaaaaaa1", ["special"]],
    ["a space instead of one", "Aaaaaaaaaa 1", ["special"]],
    ["no characters", "", ["length", "uppercase", "digit", "special"]],
  ])("with %s", (_, password, unmet) => {
    expect(unmetConditions(password)).toEqual(unmet);
  });

  it("is judged the same in every Unicode form", () => {
    fc.assert(
      fc.property(text, (typed) => {
        expect(unmetConditions(typed.normalize("NFD"))).toEqual(unmetConditions(typed.normalize("NFC")));
      }),
    );
  });

  it("is read without any change but NFC", () => {
    fc.assert(fc.property(text, (typed) => readPassword(typed) === typed.normalize("NFC")));
  });
});

describe("a document password (specification §5)", () => {
  it("may have digits, the listed special characters and the letters A to Z", () => {
    const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    expect(illegalDocumentCharacter(plain + SPECIAL_CHARACTERS)).toBeUndefined();
  });

  it.each(["ą", "Ł", " ", "é", "💥", "\t", "§", "\u00a0"])("names %j as illegal", (character) => {
    expect(illegalDocumentCharacter(`Dokument-1${character}x`)).toBe(character);
  });
});

describe("a username (specification §5)", () => {
  it.each([
    ["..a..", undefined],
    [".....", "letter"],
    ["żółćą", "letter"],
    ["żółća", undefined],
    ["anna.NOWAK@poczta-1_2", undefined],
    ["anna\u200dnowak", undefined],
  ])("%j breaks this rule: %s", (username, broken) => {
    expect(brokenUsernameRule(username)).toBe(broken);
  });

  it("is compared regardless of case, Unicode form and surrounding spaces", () => {
    expect(usernameKey(" ŻÓŁW.Anna ")).toBe(usernameKey("żółw.ANNA".normalize("NFD")));
    fc.assert(fc.property(text, (typed) => usernameKey(readUsername(typed)) === usernameKey(typed)));
  });
});

describe("what customers type", () => {
  it("is trimmed and upper-cased if it is a policy number or a personal identifier", () => {
    expect([readPolicyNo(" pol-100001\t"), readPid(" fb123456 ")]).toEqual(["POL-100001", "FB123456"]);
  });

  it("is read without its spaces if it is a code", () => {
    expect(readCode(" 123 456\u00a0")).toBe("123456");
    expect(readCode("123\u2013456.\u200b")).toBe("123456");
    expect(readCode("\uff11\uff12\uff13-\uff14\uff15\uff16")).toBe("123456");
    expect(readCode("12a 456")).toBe("12a456");
  });

  it("[S75] never takes long to read, whatever is sent", async () => {
    const hostile = [
      " ".repeat(50_000),
      "a".repeat(50_000),
      "1 ".repeat(25_000),
      "ą\u0301".repeat(25_000),
      "\u0000".repeat(50_000),
    ];
    const time = await processorTime(() => {
      for (const each of hostile) {
        for (const read of [readCode, readPid, readPolicyNo, usernameKey]) read(each);
        unmetConditions(each);
        brokenUsernameRule(each);
        illegalDocumentCharacter(each);
      }
    });
    expect(time).toBeLessThan(2000);
  });
});
