import { readPolicyholder, type LineReading } from "./policyholder-line.server";

/** Lines of one transaction: so few that a portal that is serving meanwhile hardly waits. */
const MOST_LINES = 64;
/** People and policies of one transaction, unless a single line has more: a statement takes only so many values. */
const MOST_NAMES = 500;

/** A line of the file that isn't empty, by its number (the first is 1). */
export interface Line {
  readonly number: number;
  readonly reading: LineReading;
}

/**
 * Reads the lines of a file, in batches that are each written at once. No two lines of a batch are about the same
 * person or policy: the second must see what the first has written.
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

/** Whom and what a line is about. */
function namesIn(reading: LineReading): string[] {
  if (!reading.ok) return [];
  const { kind, pid, policies } = reading.holder;
  return [`${kind} ${pid}`, ...policies.map(({ policyNo }) => `policy ${policyNo}`)];
}
