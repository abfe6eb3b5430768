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

/** Prints lines for people, or with `--json` one object on one line. */
export function report(
  output: Output,
  json: true | undefined,
  facts: object,
  lines: readonly string[],
): void {
  if (json) output.print(JSON.stringify(facts));
  else for (const line of lines) output.print(inOneLine(line));
}
