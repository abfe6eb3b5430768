/** The largest policyholders have several lines (docs/operations/import.md). */
const MOST_LINE_BYTES = 1024 * 1024;

/** What is wrong with a line that is too long. */
export const LINE_TOO_LONG = "expected a line of at most 1 MB";

const NEW_LINE = 0x0a;

/**
 * The lines of a file in UTF-8. A line that is too long is given as undefined as soon as that is known, and the rest of
 * it is passed over: a file without line ends takes no more memory than a line may.
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  const line = new LineCollector();
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      if (line.add(chunk.subarray(from, end)) === "too-long") yield undefined;
      const text = line.take();
      if (text !== undefined) yield text;
      from = end + 1;
    }
    if (line.add(chunk.subarray(from)) === "too-long") yield undefined;
  }
  const text = line.isEmpty ? undefined : line.take();
  if (text !== undefined) yield text;
}

class LineCollector {
  #pieces: Buffer[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** @returns whether this piece is the one that makes the line too long */
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
   * The line so far, undefined if it was too long; the next one begins. Some programs mark a file as UTF-8 with a
   * character that isn't JSON.
   */
  take(): string | undefined {
    const isTooLong = this.#bytes > MOST_LINE_BYTES;
    const text = isTooLong
      ? undefined
      : Buffer.concat(this.#pieces)
          .toString("utf8")
          .replace(/^\uFEFF/, "");
    this.#pieces = [];
    this.#bytes = 0;
    return text;
  }
}
