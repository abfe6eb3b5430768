/** Gives a slot back; a second time it does nothing. */
export type GiveBack = () => void;

/** A few slots for work, and a queue for them: first come, first served. */
export class Slots {
  readonly #count: number;
  /** A set keeps the order, and finds an entry to remove at once. */
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** How many slots are taken now. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait for a slot now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a slot as soon as there is one.
   * @param stop ends the wait
   * @throws the reason of `stop`
   */
  async take(stop?: AbortSignal): Promise<GiveBack> {
    stop?.throwIfAborted();
    if (this.#taken < this.#count) this.#taken += 1;
    else await this.#wait(stop);
    let isTaken = true;
    return () => {
      if (isTaken) this.#passOn();
      isTaken = false;
    };
  }

  #wait(stop: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        stop?.removeEventListener("abort", leave);
        this.#waiting.delete(next);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(next);
        reject(stop?.reason as Error);
      };
      stop?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(next);
    });
  }

  /** Hands the slot straight to the first in the queue, so that no newcomer can jump it. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#taken -= 1;
  }
}
