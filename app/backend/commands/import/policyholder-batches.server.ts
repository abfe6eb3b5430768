import { findDocuments, type DocumentFile } from "./document-files.server";
import { LINE_TOO_LONG } from "../../lines-in.server";
import { readPolicyholder, type LineReading } from "./policyholder-line.server";

/** Lines per transaction: few, so that a running portal hardly waits. */
const MOST_LINES = 64;
/** People and policies per transaction, unless a single line has more. A statement takes only so many values. */
const MOST_NAMES = 500;
/** Documents per transaction, in bytes, unless a single line has more. They are in memory together. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A non-empty line of the file. Line numbers start at 1. */
export interface Line {
  readonly number: number;
  readonly reading: LineReading;
  /** The documents it lists: they were found, but not read. */
  readonly files: readonly DocumentFile[];
}

/**
 * Reads the lines of a file in batches, each written in one transaction. No two lines of a batch concern the same person
 * or policy, because the second line must see what the first one wrote.
 * @param lines undefined stands for a line that is too long
 * @param folder where the paths of documents begin
 */
export async function* batchesOf(
  lines: AsyncIterable<string | undefined>,
  folder: string,
): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  const names = new Set<string>();
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text?.trim() === "") continue;
    const line = { number, ...(await readLine(text, folder)) };
    const more = namesIn(line.reading);
    const moreBytes = bytesOf(line);
    const isFull =
      batch.length === MOST_LINES || names.size + more.length > MOST_NAMES || bytes + moreBytes > MOST_BYTES;
    if (batch.length > 0 && (isFull || more.some((name) => names.has(name)))) {
      yield batch;
      batch = [];
      bytes = 0;
      names.clear();
    }
    batch.push(line);
    bytes += moreBytes;
    for (const name of more) names.add(name);
  }
  if (batch.length > 0) yield batch;
}

async function readLine(text: string | undefined, folder: string): Promise<Omit<Line, "number">> {
  if (text === undefined) return { reading: { ok: false, problem: LINE_TOO_LONG }, files: [] };
  const reading = readPolicyholder(text);
  if (!reading.ok) return { reading, files: [] };
  const found = await findDocuments(folder, reading.holder);
  return found.ok ? { reading, files: found.value } : { reading: found, files: [] };
}

/** The person and the policies that a line concerns. */
function namesIn(reading: LineReading): string[] {
  if (!reading.ok) return [];
  const { kind, pid, policies } = reading.holder;
  return [`${kind} ${pid}`, ...policies.map(({ policyNo }) => `policy ${policyNo}`)];
}

function bytesOf({ files }: Pick<Line, "files">): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
