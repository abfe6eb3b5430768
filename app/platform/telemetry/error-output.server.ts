import { writeSync } from "node:fs";

const STDERR = 2;
/** The reader of a pipe may be slower than the portal for a moment: about this long (ms). */
const SLOW_READER_MS = 100;
const LOOK_MS = 5;
const NOTHING: Uint8Array = new Uint8Array();

/** How bytes leave the process. */
interface Way {
  /** Returns how many bytes were taken. @throws Error if none were */
  readonly write: (bytes: Uint8Array) => number;
  /** Lets this many milliseconds pass before it returns. */
  readonly wait: (ms: number) => void;
}

/**
 * Writes each line at once, so the last one before an exit isn't lost. A line that can't be written (the disk is full,
 * the reader has gone) is dropped and counted: the work must go on without a log. As soon as writing works again, a line
 * says how many were dropped.
 *
 * Pino's own destination can't do this: after an EPIPE it drops lines without a count, and once its buffer is full it
 * never tries again.
 */
export class LineOutput {
  readonly #way: Way;
  #patienceMs = Infinity;
  #untold = 0;
  #dropped = 0;
  /** The end of a line that was written in part. It comes before anything else, so that no line is broken. */
  #rest = NOTHING;

  constructor(way: Way) {
    this.#way = way;
  }

  /** How many lines were dropped since the process started. */
  get dropped(): number {
    return this.#dropped;
  }

  /** From now on a reader that doesn't read costs lines, not time. */
  waitLittle(): void {
    this.#patienceMs = SLOW_READER_MS;
  }

  /** Writes a line, which must end with a line end. Never throws. */
  write(line: string): void {
    if (this.#untold > 0 && this.#put(droppedLines(this.#untold))) this.#untold = 0;
    if (this.#untold === 0 && this.#put(line)) return;
    this.#untold += 1;
    this.#dropped += 1;
  }

  /** Whether a line was written, if only its beginning: the rest follows. */
  #put(line: string): boolean {
    if (!this.#writeRest()) return false;
    const bytes = Buffer.from(line);
    this.#rest = bytes;
    if (this.#writeRest() || this.#rest.length < bytes.length) return true;
    this.#rest = NOTHING;
    return false;
  }

  /** Whether the rest was written. */
  #writeRest(): boolean {
    // While lines are being dropped, the reader has had its time.
    let patienceMs = this.#untold > 0 ? 0 : this.#patienceMs;
    while (this.#rest.length > 0) {
      try {
        this.#rest = this.#rest.subarray(this.#way.write(this.#rest));
      } catch (error) {
        if (!isSlowReader(error) || patienceMs <= 0) return false;
        this.#way.wait(LOOK_MS);
        patienceMs -= LOOK_MS;
      }
    }
    return true;
  }
}

/** Not through the log, which may be set to a level that leaves it out. */
function droppedLines(count: number): string {
  const facts = { level: "warn", time: new Date(), event: "log-lines-dropped", count, msg: "log" };
  return `${JSON.stringify(facts)}\n`;
}

function isSlowReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

let errors: LineOutput | undefined;

/** Standard error: the only way that the portal and its commands write there. */
export function errorOutput(): LineOutput {
  return (errors ??= new LineOutput({
    write: (bytes) => writeSync(STDERR, bytes),
    wait: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  }));
}

/**
 * Serves customers whatever becomes of the log. Without this, a stopped reader would stop the portal with it, and a
 * library's message that can't be written would end it.
 */
export function surviveLostOutput(): void {
  errorOutput().waitLittle();
  // To look at these makes Node set pipes and sockets not to block.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
