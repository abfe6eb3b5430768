/** Decides when an event that may come in floods gets a line in the log, so that it can't fill the disk. */
export class SparseLines {
  readonly #betweenMs: number;
  readonly #now: () => number;
  readonly #lines = new Map<string, { readonly at: number; since: number }>();

  /** @param now in ms, of a clock that never jumps */
  constructor(betweenMs: number, now: () => number) {
    this.#betweenMs = betweenMs;
    this.#now = now;
  }

  /** Returns how many events of a kind there were since its last line, this one included; undefined if it gets none. */
  dueCount(kind: string): number | undefined {
    const now = this.#now();
    const line = this.#lines.get(kind);
    if (line && now - line.at < this.#betweenMs) {
      line.since += 1;
      return undefined;
    }
    this.#lines.set(kind, { at: now, since: 0 });
    return (line?.since ?? 0) + 1;
  }
}
