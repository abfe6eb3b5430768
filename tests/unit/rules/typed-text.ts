import fc from "fast-check";

/** Pieces of typed text: letters of all kinds, spaces, emoji, separate accents, and an attacker's markup. */
const PIECES = [
  ...Array.from("aAbBzZ019 !@#.-_<>&\"'/\\%+"),
  ...Array.from("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
  "a\u0328",
  "Z\u0307",
  "o\u0301",
  "é",
  "ß",
  "İ",
  "👍",
  "👩‍👩‍👧‍👦",
  "\u00a0",
  "\u200b",
  "\t",
  "１",
  "А",
];

/** Any text a form can hold. No lone surrogates, since no form can send them. */
export const typedText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 70 }),
  fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...PIECES), minLength: 9, maxLength: 48 }).map((text) => `Aa1!${text}`),
);

/** A password that meets every rule, with any characters. */
export const goodPassword = fc
  .array(fc.constantFrom(...PIECES), { minLength: 8, maxLength: 20 })
  .map((pieces) => `${pieces.join("")}Ż1!aaaa`)
  .filter((password) => [...password.normalize("NFC")].length <= 50);
