/** New connections can delay work for at most this long (ms), and then not again for the same time. */
const MOST_HELD_MS = 100;

/**
 * Begins a few pieces of work per turn of the event loop, in order of arrival, and none in a turn that has accepted a
 * new connection. libuv accepts one connection per turn: if 250 forms that arrive at once were each started in a turn
 * of its own, a page requested behind them would wait for all of them (S65).
 */
export class TurnQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #hasConnection = false;
  /** When the last hold began, by `performance.now()`. */
  #heldSince = Number.NEGATIVE_INFINITY;

  /** @param most the maximum of starts per turn */
  constructor(most: number) {
    this.#most = most;
  }

  /** Call this for each new connection. */
  noteConnection(): void {
    this.#hasConnection = true;
  }

  /** Does the work at the end of this turn or a later one. */
  run(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#isScheduled) this.#schedule();
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      const next = this.#isHeld() ? [] : this.#waiting.splice(0, this.#most);
      this.#isScheduled = this.#waiting.length > 0;
      if (this.#isScheduled) this.#schedule();
      for (const work of next) work();
    });
  }

  #isHeld(): boolean {
    const now = performance.now();
    const hasConnection = this.#hasConnection;
    this.#hasConnection = false;
    // A hold that began again at once would let connections that send nothing slow every form (S120).
    if (now >= this.#heldSince + 2 * MOST_HELD_MS && hasConnection) this.#heldSince = now;
    return hasConnection && now < this.#heldSince + MOST_HELD_MS;
  }
}
