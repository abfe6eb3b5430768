/** Longer than a policyholder with the most policies and some documents for each. */
const MOST_LINE_BYTES = 4 * 1024 * 1024;

/** What is wrong with a line that is too long. */
export const LINE_TOO_LONG = "expected a line of at most 4 MB";

const NEW_LINE = 0x0a;

/**
 * The lines of a file in UTF-8. A file without line ends takes no more memory than a line may: what is too long is
 * passed over, and given as undefined.
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  const line = new LineCollector();
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      line.add(chunk.subarray(from, end));
      yield line.take();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  if (!line.isEmpty) yield line.take();
}

class LineCollector {
  #pieces: Buffer[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MOST_LINE_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  /** The line so far; the next one begins. Some programs mark a file as UTF-8 with a character that isn't JSON. */
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
