import { readPolicyholder, type LineReading } from "./policyholder-line.server";

/** Lines per transaction: few, so that a running portal hardly waits. */
const MOST_LINES = 64;
/** People and policies per transaction, unless a single line has more. A statement takes only so many values. */
const MOST_NAMES = 500;

/** A non-empty line of the file. Line numbers start at 1. */
export interface Line {
  readonly number: number;
  readonly reading: LineReading;
}

/**
 * Reads the lines of a file in batches, each written in one transaction. No two lines of a batch concern the same person
 * or policy, because the second line must see what the first one wrote.
 */
export async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = [];
  const names = new Set<string>();
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === "") continue;
    const reading = readPolicyholder(text);
    const more = namesIn(reading);
    const isFull = batch.length === MOST_LINES || names.size + more.length > MOST_NAMES;
    if (batch.length > 0 && (isFull || more.some((name) => names.has(name)))) {
      yield batch;
      batch = [];
      names.clear();
    }
    batch.push({ number, reading });
    for (const name of more) names.add(name);
  }
  if (batch.length > 0) yield batch;
}

/** The person and the policies that a line concerns. */
function namesIn(reading: LineReading): string[] {
  if (!reading.ok) return [];
  const { kind, pid, policies } = reading.holder;
  return [`${kind} ${pid}`, ...policies.map(({ policyNo }) => `policy ${policyNo}`)];
}
