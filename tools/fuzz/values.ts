import fc, { type Arbitrary } from "fast-check";
import { MARK, type Value } from "./steps";

/** In characters: at and around the limits of passwords, usernames, fields, calls and forms. */
const SHORT_LENGTHS = [0, 1, 4, 5, 11, 12, 50, 51, 100, 101];
const LONG_LENGTHS = [3999, 4000, 4001, 16 * 1024, 64 * 1024];
const FILLERS = ["a", "A-9", "ż", "e\u0301", "\u0301", "\u202e", "😀", "𝒳", "\ufdfa", " ", "0"];

/** Texts with lengths around the limits. The longest are rare: they cost the most and all end the same way. */
const long: Arbitrary<Value> = fc.record({
  kind: fc.constant("long" as const),
  filler: fc.constantFrom(...FILLERS),
  length: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...SHORT_LENGTHS) },
    { weight: 1, arbitrary: fc.constantFrom(...LONG_LENGTHS) },
  ),
});

const right: Arbitrary<Value> = fc.constant({ kind: "right" });

/** Text of every kind of Unicode, without encoding. */
export const anyText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary-ascii", maxLength: 20 }),
  fc.constantFrom(
    "\u202Eאבג",
    "\ufeff",
    "\u2028",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{1234*5678}}",
    "../..",
  ),
);

/**
 * Texts that make no sense in a form: NUL, half characters, bytes that aren't UTF-8, broken escapes, names of
 * prototypes.
 */
const ODD_FORM_TEXTS = [
  MARK,
  `${MARK}%00`,
  `%00${MARK}`,
  `${MARK}%ED%A0%80`,
  `%FF%FE%C3${MARK}`,
  `%C0%80${MARK}`,
  `%F4%90%80%80`,
  `%zz${MARK}%`,
  `%u0041${MARK}`,
  `\u00ff\u00fe${MARK}`,
  `${MARK}%0D%0ASet-Cookie:%20stolen=1`,
  `${MARK};x=1`,
  "__proto__",
  "000000",
  "12%2034%2056",
  "Y",
  "N",
  "",
];

/** A value for a form, mostly the right one. */
export const formValue: Arbitrary<Value> = fc.oneof(
  { weight: 12, arbitrary: right },
  { weight: 3, arbitrary: encodedText(ODD_FORM_TEXTS, (text) => `${MARK}${encodeURIComponent(text)}`) },
  { weight: 2, arbitrary: long },
);

const ODD_TOKENS = [
  `"${MARK}"`,
  `"${MARK}\\u0000"`,
  `"${MARK}\\ud800"`,
  `"\\udfff${MARK}"`,
  "null",
  "true",
  "0",
  "-0",
  "1e400",
  "123456",
  "[]",
  "{}",
  `["${MARK}","${MARK}"]`,
  `{"$gt":"${MARK}"}`,
  `{"__proto__":{"a":"${MARK}"}}`,
  `{"toString":null}`,
  '"Y"',
  '"N"',
  "undefined",
  "NaN",
  '"\u0000"',
  `"\u00ff${MARK}`,
];

/** A value for a JSON object, mostly the right one. */
export const jsonValue: Arbitrary<Value> = fc.oneof(
  { weight: 12, arbitrary: right },
  { weight: 3, arbitrary: encodedText(ODD_TOKENS, (text) => JSON.stringify(`${MARK}${text}`)) },
  { weight: 1, arbitrary: fc.json().map((text): Value => ({ kind: "text", text })) },
  { weight: 2, arbitrary: long },
);

/** A value for a part of a path. */
export const pathValue: Arbitrary<Value> = fc.oneof(
  { weight: 8, arbitrary: right },
  {
    weight: 2,
    arbitrary: encodedText(
      [MARK, "..", "%2e%2e", "%2F", "%00", "%zz", "%ED%A0%80", "%FF", "__proto__", "create", "a/b", "\u00ff"],
      (text) => `${MARK}${encodeURIComponent(text)}`,
    ),
  },
);

function encodedText(odd: readonly string[], encode: (text: string) => string): Arbitrary<Value> {
  const texts = fc.oneof(fc.constantFrom(...odd), anyText.map(encode));
  return texts.map((text) => ({ kind: "text", text }));
}

/** Header values: any Latin-1 character that Node's client sends. */
export const headerText: Arbitrary<string> = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(String.fromCharCode), maxLength: 30 })
  .map((text) => text.replaceAll("\u007f", ""));
