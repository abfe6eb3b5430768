/** A queue in the database, as its workers see it. */
interface Queue {
  /** How many workers may be busy at once. */
  readonly parallel: number;
  /** How often a process looks for messages that are due again or that another process left, in ms. */
  readonly pollMs: number;
  /** How long messages that are being sent may take to finish when the process stops, in ms. */
  readonly stopMs: number;
  /** Drops expired messages; the first thing at each look. */
  readonly dropEnded: () => Promise<void>;
  /** Claims the next message that is due, and returns what sends it; undefined if there is none. */
  readonly claim: () => Promise<(() => Promise<void>) | undefined>;
  readonly onError: (error: unknown) => void;
}

/** The workers of one process on a queue. */
export class QueueWorkers {
  readonly #queue: Queue;
  readonly #busy = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #checking = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Aborts when a message that is being sent takes too long for a process that stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether nothing new is started any more. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Checks the queue now and every `pollMs`. */
  start(): void {
    const look = () => {
      this.#checking = this.check();
    };
    this.#timer = setInterval(look, this.#queue.pollMs);
    this.#timer.unref();
    look();
  }

  /** Drops expired messages and sends those that are due. Never throws. */
  async check(): Promise<void> {
    if (this.#isClosing) return;
    try {
      await this.#queue.dropEnded();
      this.begin();
    } catch (error) {
      this.#queue.onError(error);
    }
  }

  /** Starts one more worker, up to `parallel`. */
  begin(): void {
    if (this.#isClosing || this.#busy.size >= this.#queue.parallel) return;
    const worker = this.#work()
      .catch(this.#queue.onError)
      .finally(() => this.#busy.delete(worker));
    this.#busy.add(worker);
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy);
  }

  /** Starts nothing new. Messages being sent have `stopMs` to finish; the next process sends the rest. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const deadline = setTimeout(() => {
      this.#stop.abort();
    }, this.#queue.stopMs);
    await this.#checking;
    await this.idle();
    clearTimeout(deadline);
  }

  async #work(): Promise<void> {
    for (;;) {
      const send = await this.#queue.claim();
      if (!send) return;
      // There may be more, and a slow attempt must not hold them up.
      this.begin();
      await send();
    }
  }
}
