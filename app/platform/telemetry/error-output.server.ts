import { writeSync } from "node:fs";

const STDERR = 2;
/** The reader of a pipe may be slower than the portal for a moment: about this long (ms). */
const SLOW_READER_MS = 100;
const LOOK_MS = 5;
const NOTHING: Uint8Array = new Uint8Array();

/** Where bytes are written. */
interface Sink {
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
  readonly #sink: Sink;
  #patienceMs = Infinity;
  #unreported = 0;
  #dropped = 0;
  /** The rest of a line that was written in part. It is written first, so that no line is broken. */
  #pending = NOTHING;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** How many lines were dropped since the process started. */
  get dropped(): number {
    return this.#dropped;
  }

  /** From now on, lines are dropped instead of waiting long for a slow reader. */
  waitLittle(): void {
    this.#patienceMs = SLOW_READER_MS;
  }

  /** Writes a line, which must end with a line end. Never throws. */
  write(line: string): void {
    if (this.#unreported > 0 && this.#tryWrite(droppedNotice(this.#unreported))) this.#unreported = 0;
    if (this.#unreported === 0 && this.#tryWrite(line)) return;
    this.#unreported += 1;
    this.#dropped += 1;
  }

  /** Returns whether the line was written, at least in part; the rest stays pending. */
  #tryWrite(line: string): boolean {
    if (!this.#writePending()) return false;
    const bytes = Buffer.from(line);
    this.#pending = bytes;
    if (this.#writePending() || this.#pending.length < bytes.length) return true;
    this.#pending = NOTHING;
    return false;
  }

  /** Returns whether nothing is pending any more. */
  #writePending(): boolean {
    // While lines are being dropped, the wait is already over.
    let patienceMs = this.#unreported > 0 ? 0 : this.#patienceMs;
    while (this.#pending.length > 0) {
      try {
        this.#pending = this.#pending.subarray(this.#sink.write(this.#pending));
      } catch (error) {
        if (!isSlowReader(error) || patienceMs <= 0) return false;
        this.#sink.wait(LOOK_MS);
        patienceMs -= LOOK_MS;
      }
    }
    return true;
  }
}

/** Bypasses the logger, whose level may hide it. */
function droppedNotice(count: number): string {
  const facts = { level: "warn", time: new Date(), event: "log-lines-dropped", count, msg: "log" };
  return `${JSON.stringify(facts)}\n`;
}

function isSlowReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

let errors: LineOutput | undefined;

/** Standard error. The portal and its commands write to it only through this. */
export function errorOutput(): LineOutput {
  return (errors ??= new LineOutput({
    write: (bytes) => writeSync(STDERR, bytes),
    wait: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  }));
}

/**
 * Keeps the portal serving if the log can't be written. Without this, a stopped reader would block it, and a failed write
 * of a library would end it.
 */
export function surviveLostOutput(): void {
  errorOutput().waitLittle();
  // Accessing these streams makes Node set pipes and sockets to non-blocking.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
