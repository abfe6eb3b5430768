import { PdfWorkBusy } from "./pdf-work.server";

/** Gives a place back; a second time it does nothing. */
export type GiveBack = () => void;

/** How many may wait, and how long (ms). Default: both unlimited. */
interface QueueLimits {
  readonly most?: number;
  readonly waitMs?: number;
}

/** Some places, and a queue for them: first come, first served. */
export class Places {
  readonly #places: number;
  readonly #queue: QueueLimits;
  /** A set keeps the order, and finds an entry to remove at once. */
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(places: number, queue: QueueLimits = {}) {
    this.#places = places;
    this.#queue = queue;
  }

  /**
   * Takes a place as soon as there is one.
   * @param stop ends the wait
   * @throws PdfWorkBusy if too many are waiting, or it takes too long; the reason of `stop`
   */
  async take(stop?: AbortSignal): Promise<GiveBack> {
    stop?.throwIfAborted();
    if (this.#taken < this.#places) this.#taken += 1;
    else await this.#turn(stop);
    let isTaken = true;
    return () => {
      if (isTaken) this.#passOn();
      isTaken = false;
    };
  }

  #turn(stop: AbortSignal | undefined): Promise<void> {
    const { most = Infinity, waitMs } = this.#queue;
    if (this.#waiting.size >= most) throw new PdfWorkBusy();
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        stop?.removeEventListener("abort", leave);
        this.#waiting.delete(next);
        settled();
      };
      const next = () => {
        settle(resolve);
      };
      const leave = () => {
        settle(() => {
          reject(stop?.aborted === true ? (stop.reason as Error) : new PdfWorkBusy());
        });
      };
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
      stop?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(next);
    });
  }

  /** Hands the place straight to the first in the queue, so that no newcomer can jump it. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#taken -= 1;
  }
}
