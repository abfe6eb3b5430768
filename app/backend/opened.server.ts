type Close = () => Promise<unknown>;

/** What a start has opened so far. Later parts work with earlier ones, so they are closed first. */
export class Opened {
  readonly #closes: Close[] = [];

  /** @param close closes it, after everything that is added later */
  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything, one after the other. */
  async close(): Promise<void> {
    for (let close = this.#closes.pop(); close; close = this.#closes.pop()) await close();
  }
}
