import { describe, expect, it } from "vitest";
import {
  code,
  identifier,
  newDocumentPassword,
  newPassword,
  newUsername,
  text,
} from "~/contract/rules/field-rules";

const NFD = (typed: string) => typed.normalize("NFD");

describe("any text", () => {
  it.each([
    ["", "required"],
    ["a".repeat(4000), undefined],
    ["a".repeat(4001), "maxLength"],
    ["a\0b", "invalidChars"],
    ["\ud83d", "invalidChars"],
    ["👍", undefined],
    [" ", undefined],
    ["<script>", undefined],
    ["\u202e", undefined],
  ])("%j: %s", (typed, key) => {
    expect(text(typed)?.key).toBe(key);
  });

  it.each([
    ["", "required"],
    [" \t\n\u00a0", "required"],
    [" anna ", undefined],
  ])("that identifies somebody, %j: %s", (typed, key) => {
    expect(identifier(typed)?.key).toBe(key);
  });
});

describe("[F30] a one-time code: six digits, and nothing else", () => {
  it.each([
    ["123456", undefined],
    ["012345", undefined],
    [" 123 456 ", undefined],
    ["123\u00a0456", undefined],
    ["１２３４５６", undefined],
    ["123-456.", undefined],
    ["1", "code.length"],
    ["12345", "code.length"],
    [" 123 45 ", "code.length"],
    ["1234567", "code.length"],
    ["", "required"],
    ["   ", "required"],
    ["12345a", "code.digits"],
    ["١٢٣٤٥٦", "code.digits"],
    ["-", "code.digits"],
    ["12a345", "code.digits"],
  ])("%j: %s", (typed, key) => {
    expect(code(typed)?.key).toBe(key);
  });
});

describe("[F44] a password: 12 to 50 characters, an upper-case letter, a digit, a special character", () => {
  it.each([
    ["Aa1!aaaaaaa", "password.length"],
    ["Aa1!aaaaaaaa", undefined],
    [`Aa1!${"a".repeat(46)}`, undefined],
    [`Aa1!${"a".repeat(47)}`, "password.tooLong"],
    // Characters are code points: an emoji counts as one, and so does an accented letter however it was typed.
    [`Aa1!${"👍".repeat(8)}`, undefined],
    [`Aa1!${"👍".repeat(46)}`, undefined],
    [`Aa1!${"👍".repeat(47)}`, "password.tooLong"],
    [NFD(`Aa1!${"ó".repeat(46)}`), undefined],
    [NFD(`Aa1!${"ó".repeat(7)}`), "password.length"],
    ["aa1!aaaaaaaa", "password.uppercase"],
    ["Ża1!aaaaaaaa", undefined],
    [NFD("Ża1!aaaaaaaa"), undefined],
    ["Éa1!aaaaaaaa", "password.uppercase"],
    ["Aaa!aaaaaaaa", "password.digit"],
    ["Aa٣!aaaaaaaa", "password.digit"],
    ["Aa1aaaaaaaaa", "password.special"],
    ["Aa1 aaaaaaaa", "password.special"],
    ["Aa1€aaaaaaaa", "password.special"],
    ["  Aa1!aaaaaa", undefined],
    ["", "required"],
    ["Aa1!aaaaaaa\0", "invalidChars"],
    [`Aa1!${"a".repeat(3997)}`, "maxLength"],
  ])("%j: %s", (typed, key) => {
    expect(newPassword(typed)?.key).toBe(key);
  });

  it.each(Array.from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))("%s is a special character", (character) => {
    expect(newPassword(`Aa1${character}aaaaaaaa`)).toBeUndefined();
  });

  it.each(Array.from("ĄĆĘŁŃÓŚŹŻ"))("%s is an upper-case letter", (character) => {
    expect(newPassword(`${character}a1!aaaaaaaa`)).toBeUndefined();
  });
});

describe("a document password: the same, but only digits, special characters and the letters A to Z", () => {
  it.each([
    ["Dokument-2026!", undefined, undefined],
    ["Dokument 2026!", "documentPassword.invalidChar", " "],
    ["Dokumęnt-2026!", "documentPassword.invalidChar", "ę"],
    [NFD("Dokumęnt-2026!"), "documentPassword.invalidChar", "ę"],
    ["Dokument-2026👍", "documentPassword.invalidChar", "👍"],
    ["Żó-1", "documentPassword.invalidChar", "Ż"],
    ["Dokument-26", "password.length", undefined],
    ["dokument-2026", "password.uppercase", undefined],
    ["", "required", undefined],
  ])("%j: %s", (typed, key, character) => {
    expect(newDocumentPassword(typed)).toEqual(
      key === undefined ? undefined : { key, ...(character !== undefined && { character }) },
    );
  });
});

describe("a username: 5 to 50 characters, letters, digits and @ . - _, at least one letter from a to z", () => {
  it.each([
    ["anna", "username.length"],
    ["annan", undefined],
    ["a".repeat(50), undefined],
    ["a".repeat(51), "username.length"],
    ["  annan  ", undefined],
    ["anna\u200dnowak", undefined],
    ["żółć-a", undefined],
    ["żółćż", "username.letter"],
    ["12345", "username.letter"],
    ["a@.-_", undefined],
    ["anna nowak", "username.chars"],
    ["anna+nowak", "username.chars"],
    ["anna/nowak", "username.chars"],
    ["аnna.nowak", "username.chars"],
    ["anna👍", "username.chars"],
    ["", "required"],
    ["     ", "required"],
  ])("%j: %s", (typed, key) => {
    expect(newUsername(typed)?.key).toBe(key);
  });
});
