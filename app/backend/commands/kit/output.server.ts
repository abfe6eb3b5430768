import type { Terminal } from "./progress.server";

/** Where a command prints. */
export interface Output {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** The error output, if a person looks at it. */
  readonly terminal?: Terminal | undefined;
}

/** What `--json` says instead of the lines for people: one object on one line. */
export function report(
  output: Output,
  json: true | undefined,
  facts: object,
  lines: readonly string[],
): void {
  if (json) output.print(JSON.stringify(facts));
  else for (const line of lines) output.print(line);
}
