/** A one-letter word must not end a line: a hard space (U+00A0) ties it to the next word. */
const LONE_LETTER = /(^|[\s(„])([aiouwzAIOUWZ]) /g;
/** A line must not break inside "SMS-a": it gets a hard hyphen (U+2011). */
const SMS_ENDING = /\bSMS-(?=\p{L})/gu;
/** A line must not break at the dash of a range like 9:00–18:00 or a–z: word joiners (U+2060) hold it. */
const RANGE = /(?<=\S)–(?=\S)/g;
/** A line must not break between marks in a row, as in "@ . - _". */
const BETWEEN_MARKS = /(?<=\s[@.\-_]) (?=[@.\-_](\s|$))/g;
/**
 * A line must not break between a figure and its noun, as in "15 minut". The text may still hold a placeholder:
 * "{{count}} minut".
 */
const AFTER_FIGURE = /(?<=\d|\{\{(?:count|max|\w+Max|codeDigits|\w+Minutes|recovery\w+)\}\}) (?=\p{L})/gu;
/** A line must not break inside the name of a standard, as in "WCAG 2.2" and "EN 301 549". */
const IN_STANDARD = /(?<=\b(?:WCAG|EN)) (?=\d)|(?<=\b\d{3}) (?=\d{3}\b)/g;
/** A line must not break between "do" and the last day of a period. */
const BEFORE_END = /(?<= (?:do|to)) (?=\{\{to\}\})/g;

/**
 * Adds hard spaces after one-letter words, and hard hyphens: a Polish custom. Done once for all texts, so names and
 * numbers that are filled in later stay unchanged.
 */
export function addHardSpaces<Texts>(texts: Texts): Texts {
  // Twice: neighbouring one-letter words share the space between them.
  return mapTexts(texts, (text) => tie(tie(text)).replace(SMS_ENDING, "SMS\u2011"));
}

/** Keeps lines from breaking inside ranges, counts, periods and rows of marks, in any language. */
export function holdTogether<Texts>(texts: Texts): Texts {
  return mapTexts(texts, (text) =>
    text
      .replace(RANGE, "\u2060–\u2060")
      .replace(BETWEEN_MARKS, "\u00A0")
      .replace(AFTER_FIGURE, "\u00A0")
      .replace(IN_STANDARD, "\u00A0")
      .replace(BEFORE_END, "\u00A0"),
  );
}

function mapTexts<Texts>(texts: Texts, change: (text: string) => string): Texts {
  return JSON.parse(JSON.stringify(texts), (_key, value: unknown) =>
    typeof value === "string" ? change(value) : value,
  ) as Texts;
}

function tie(text: string): string {
  return text.replace(LONE_LETTER, "$1$2\u00A0");
}
