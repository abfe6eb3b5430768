/** Characters that could move a terminal's cursor or reverse a line. Anyone who signs in can choose a device name. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/** Replaces control characters, so that a text stays on one line of a terminal. */
export function replaceControls(text: string): string {
  return text.replaceAll(CONTROL, "?");
}

/**
 * JSON for an operator, perhaps on a terminal: in strings, characters that could move its cursor are escaped as
 * `\uXXXX`. It parses to the same value.
 * @param indent lays it out on several lines, for people
 */
export function jsonText(value: unknown, indent?: number): string {
  // JSON has already escaped the line ends in strings: the remaining ones are its layout.
  return JSON.stringify(value, undefined, indent).replaceAll(CONTROL, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
