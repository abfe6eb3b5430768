import { counter, levels, timer } from "~/platform/telemetry/metric-kinds.server";

/** The queue was full, so the job did not run. */
export const BUSY = Symbol("busy");

export interface QueueLimits {
  /** Jobs that run at the same time. */
  readonly parallel: number;
  /** No job is admitted if its expected wait (ms) exceeds this … */
  readonly waitMs: number;
  /** … but this many may always wait. */
  readonly places: number;
}

const MS_IN_SECOND = 1000;
const FIRST_GUESS_MS = 15;
/** Weight of the newest measurement in the running mean. */
const NEWEST = 0.1;

const WAIT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
const queueLevels = levels({
  waiting: { name: "portal_hash_queue_waiting", help: "Password hashes that wait for their turn" },
  running: { name: "portal_hash_queue_running", help: "Password hashes under way" },
});
const waitSeconds = timer(
  { name: "portal_hash_wait_seconds", help: "Wait of a password for its hash", buckets: WAIT_SECONDS },
  {},
);
const hashesRefused = counter(
  { name: "portal_hashes_refused_total", help: "Password hashes refused because the queue was full" },
  {},
);

/**
 * A queue for CPU-bound work, bounded by how long a new job would wait. Refusing early keeps the queue short.
 */
export class HashQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #meanMs = FIRST_GUESS_MS;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    queueLevels.feed(() => ({ waiting: this.#waiting.length, running: this.#running }));
  }

  /** Runs a job when its turn comes, or returns `BUSY` at once. Throws what the job throws. */
  async run<Value>(job: () => Promise<Value>): Promise<Value | typeof BUSY> {
    const cameAt = performance.now();
    if (this.#running < this.#limits.parallel) this.#running += 1;
    else if (this.#isFull()) {
      hashesRefused.inc({});
      return BUSY;
    } else await new Promise<void>((turn) => this.#waiting.push(turn));

    const startedAt = performance.now();
    waitSeconds.observe({}, (startedAt - cameAt) / MS_IN_SECOND);
    try {
      return await job();
    } finally {
      this.#meanMs += NEWEST * (performance.now() - startedAt - this.#meanMs);
      this.#passOn();
    }
  }

  #isFull(): boolean {
    const { waitMs, parallel, places } = this.#limits;
    return this.#waiting.length >= Math.max(places, (waitMs * parallel) / this.#meanMs);
  }

  /** Hands the slot straight to the job that has waited longest, so that no new job can jump in. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
