import type { Writable } from "node:stream";
import type { Terminal } from "./progress.server";

/** Where a command prints. */
export interface Output {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** For long output, written as fast as the reader takes it. */
  readonly out: Writable;
  /** The error output, if it is a terminal. */
  readonly terminal?: Terminal | undefined;
}

/** Characters that could move a terminal's cursor or reverse a line. Anyone who signs in can choose a device name. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/** Makes a text stay on one line of a terminal. */
export function inOneLine(text: string): string {
  return text.replaceAll(CONTROL, "?");
}

/**
 * JSON for an operator, perhaps on a terminal: in strings, what could move its cursor is escaped, as `\uXXXX`. It parses
 * to the same value.
 * @param indent lays it out on several lines, for people
 */
export function jsonText(value: unknown, indent?: number): string {
  // JSON has already escaped the line ends in strings: those that are left are between them.
  return JSON.stringify(value, undefined, indent).replaceAll(CONTROL, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

/** Prints lines for people, or with `--json` one object on one line. */
export function report(
  output: Output,
  json: true | undefined,
  facts: object,
  lines: readonly string[],
): void {
  if (json) output.print(jsonText(facts));
  else for (const line of lines) output.print(inOneLine(line));
}
