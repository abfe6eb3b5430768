/** What ISO 8859-2, the letters of Elixir, can write: Polish banks' own system carries nothing else. */
const CARRIED = new Set(
  new TextDecoder("iso-8859-2")
    .decode(Uint8Array.from({ length: 256 }, (_byte, code) => code))
    .match(/[^\p{C}]/gu),
);

/**
 * A text as banks carry it: with plain spaces, dashes and quotes.
 * @returns undefined if it has a letter that they can't carry even so
 */
export function bankText(text: string): string | undefined {
  const plain = text
    .normalize("NFC")
    .replace(/\p{Zs}/gu, " ")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2018-\u201B\u2039\u203A\u2032]/g, "'")
    .replace(/[\u201C-\u201F\u00AB\u00BB\u2033]/g, '"');
  return [...plain].every((letter) => CARRIED.has(letter)) ? plain : undefined;
}
