import type { Writable } from "node:stream";
import type { Terminal } from "./progress.server";

/** Where a command prints. */
export interface Output {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Where much is written, as fast as the reader takes it. */
  readonly out: Writable;
  /** The error output, if a person looks at it. */
  readonly terminal?: Terminal | undefined;
}

/** What could move a terminal's cursor or turn a line around. Devices are named by whoever signs in. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/** A text that stays on its line of a terminal. */
export function inOneLine(text: string): string {
  return text.replaceAll(CONTROL, "?");
}

/** What `--json` says instead of the lines for people: one object on one line. */
export function report(
  output: Output,
  json: true | undefined,
  facts: object,
  lines: readonly string[],
): void {
  if (json) output.print(JSON.stringify(facts));
  else for (const line of lines) output.print(inOneLine(line));
}
