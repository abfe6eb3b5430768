import { isUtf8 } from "node:buffer";

/** The largest policyholders are split over several lines (docs/operations/import.md). */
const MOST_LINE_BYTES = 1024 * 1024;

/** A line that can't be read. */
export interface UnreadableLine {
  readonly problem: string;
}
export const LINE_TOO_LONG: UnreadableLine = { problem: "expected a line of at most 1 MB" };
const NOT_UTF_8: UnreadableLine = { problem: "not UTF-8" };

const NEW_LINE = 0x0a;

/**
 * Yields the lines of a UTF-8 file. A line that is too long is reported at once and its rest is skipped, so a file
 * without line ends takes no more memory than the longest line allowed.
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | UnreadableLine> {
  const line = new LineCollector();
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      if (line.add(chunk.subarray(from, end)) === "too-long") yield LINE_TOO_LONG;
      const whole = line.take();
      if (whole !== undefined) yield whole;
      from = end + 1;
    }
    if (line.add(chunk.subarray(from)) === "too-long") yield LINE_TOO_LONG;
  }
  const last = line.isEmpty ? undefined : line.take();
  if (last !== undefined) yield last;
}

class LineCollector {
  #pieces: Buffer[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** @returns `too-long` only for the piece that makes the line too long */
  add(piece: Buffer): "fits" | "too-long" | "passed-over" {
    if (this.#bytes > MOST_LINE_BYTES) return "passed-over";
    this.#bytes += piece.byteLength;
    if (this.#bytes <= MOST_LINE_BYTES) {
      this.#pieces.push(piece);
      return "fits";
    }
    this.#pieces = [];
    return "too-long";
  }

  /**
   * Returns the line, undefined if it was too long, and starts the next one. Drops the byte order mark that some
   * programs put at the start of a file.
   */
  take(): string | UnreadableLine | undefined {
    const line = this.#bytes > MOST_LINE_BYTES ? undefined : textOf(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}

function textOf(line: Buffer): string | UnreadableLine {
  return isUtf8(line) ? line.toString("utf8").replace(/^\uFEFF/, "") : NOT_UTF_8;
}
