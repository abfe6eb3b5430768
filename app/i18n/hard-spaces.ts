/** A one-letter word must not end a line: a hard space (U+00A0) ties it to the next word. */
const LONE_LETTER = /(^|[\s(„])([aiouwzAIOUWZ]) /g;
/** A line must not break inside "SMS-a" either: it gets a hard hyphen (U+2011). */
const ENDING = /\bSMS-(?=\p{L})/gu;

/**
 * The same texts with hard spaces after one-letter words, and hard hyphens. Done once for all texts, so names and numbers filled in later
 * stay unchanged.
 */
export function addHardSpaces<Texts>(texts: Texts): Texts {
  return JSON.parse(JSON.stringify(texts), (_key, value: unknown) =>
    typeof value === "string" ? tie(tie(value)) : value,
  ) as Texts;
}

// Twice: neighbouring one-letter words share the space between them.
function tie(text: string): string {
  return text.replace(LONE_LETTER, "$1$2\u00A0").replace(ENDING, "SMS\u2011");
}
