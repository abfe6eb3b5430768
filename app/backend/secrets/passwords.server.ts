import { setTimeout } from "node:timers/promises";
import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { Slots } from "~/platform/slots.server";
import { counter, levels, timer } from "~/platform/telemetry/metrics.server";
import { type Clock, stopwatch } from "~/platform/time.server";
import type { Keyring } from "./keyring.server";

/** The job did not run, because it would have waited too long. */
export const BUSY = Symbol("busy");

export interface QueueLimits {
  /** Jobs that run at the same time. */
  readonly parallel: number;
  /** A job begins at most this long (ms) after the arrival of its request, or not at all (S114). */
  readonly waitMs: number;
  /** At most this many jobs run, wait or are promised a place, however short the wait. */
  readonly places: number;
  /** If the queue is full, a request is held for this long (ms), and refused if the queue is still full then. */
  readonly holdMs: number;
}

/** A place in the queue, taken before the job can begin. */
export interface QueuePlace {
  /** When the request arrived, on the queue's clock. */
  readonly arrivedAt: number;
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
  {
    name: "portal_hash_wait_seconds",
    help: "From the arrival of a request to its hash",
    buckets: WAIT_SECONDS,
  },
  {},
);
const hashesRefused = counter(
  {
    name: "portal_hashes_refused_total",
    help: "Password hashes refused because they would have begun too late",
  },
  {},
);

/**
 * A queue for CPU-bound work, bounded by waiting time. A request that would probably wait too long is held for a
 * moment, and refused if there is still no place: if it were refused at once, clients that retry at once would keep the
 * processor so busy that no sign-in gets through. A job that gets its turn too late is refused, too.
 */
export class HashQueue {
  readonly #limits: QueueLimits;
  readonly #now: Clock;
  readonly #slots: Slots;
  readonly #places = new Set<QueuePlace>();
  #meanMs = FIRST_GUESS_MS;

  /** @param now in ms, of a clock that never jumps */
  constructor(limits: QueueLimits, now: Clock = stopwatch) {
    this.#limits = limits;
    this.#now = now;
    this.#slots = new Slots(limits.parallel);
    queueLevels.feed(() => ({ waiting: this.#slots.waiting, running: this.#slots.taken }));
  }

  /**
   * Takes a place, does the work that leads to the job, and gives the place back unless the job already has. So a crowd
   * is refused before it costs anything: all requests in front count, even those whose job isn't queued yet.
   * @param arrivedAt when the request arrived, on the queue's clock
   * @returns the result of the work, or `BUSY`
   */
  async withPlace<Value>(
    arrivedAt: number,
    work: (place: QueuePlace) => Promise<Value>,
  ): Promise<Value | typeof BUSY> {
    if (!this.#hasPlace(arrivedAt)) await setTimeout(this.#limits.holdMs);
    if (!this.#hasPlace(arrivedAt)) return refuse();
    const place = { arrivedAt };
    this.#places.add(place);
    try {
      return await work(place);
    } finally {
      this.#places.delete(place);
    }
  }

  /**
   * Runs a job when its turn comes, or returns `BUSY`. Throws what the job throws.
   * @param turn the request's place, or when the request arrived; default: now
   */
  async run<Value>(
    job: () => Promise<Value>,
    turn: QueuePlace | number = this.#now(),
  ): Promise<Value | typeof BUSY> {
    if (typeof turn === "number") return this.withPlace(turn, (place) => this.run(job, place));
    const giveBack = await this.#slots.take();
    try {
      return await this.#runInTime(job, turn);
    } finally {
      this.#places.delete(turn);
      giveBack();
    }
  }

  async #runInTime<Value>(
    job: () => Promise<Value>,
    { arrivedAt }: QueuePlace,
  ): Promise<Value | typeof BUSY> {
    const startedAt = this.#now();
    if (startedAt > arrivedAt + this.#limits.waitMs) return refuse();
    waitSeconds.observe({}, (startedAt - arrivedAt) / MS_IN_SECOND);
    try {
      return await job();
    } finally {
      this.#meanMs += NEWEST * (this.#now() - startedAt - this.#meanMs);
    }
  }

  #hasPlace(arrivedAt: number): boolean {
    const { places, waitMs } = this.#limits;
    return this.#places.size < places && this.#nextTurn() <= arrivedAt + waitMs;
  }

  /** When a new job would probably begin, judging by how long earlier ones took. */
  #nextTurn(): number {
    const { parallel } = this.#limits;
    const inFront = Math.max(0, this.#places.size - parallel + 1);
    return this.#now() + (inFront / parallel) * this.#meanMs;
  }
}

function refuse(): typeof BUSY {
  hashesRefused.inc({});
  return BUSY;
}

/** The cost parameters of an argon2id hash. */
export interface HashCost {
  /** KiB */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  /** Lanes. */
  readonly parallelism: number;
}

/** argon2id as recommended by OWASP and ASVS 11.4.2: 19 MiB, two passes, one lane (S77). */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A stored password: a PHC string and the version of the pepper used. */
export interface PasswordHash {
  readonly hash: string;
  readonly pepperVersion: number;
}

/** `outdated`: right, but hashed with an older cost or pepper. */
type Verdict = "right" | "outdated" | "wrong" | typeof BUSY;

/** Hashes and compares passwords, a few at a time. Expects passwords as `readPassword` returns them. */
export class Passwords {
  readonly #keyring: Keyring;
  readonly #limits: QueueLimits;
  readonly #queue: HashQueue;
  readonly #cost: HashCost;
  readonly #decoy: PasswordHash;

  /**
   * @param limits how many hashes may run and wait
   * @param stopwatch the clock of arrivals
   * @param cost of a hash; only tests choose another
   */
  constructor(keyring: Keyring, limits: QueueLimits, stopwatch?: Clock, cost = COST) {
    this.#keyring = keyring;
    this.#limits = limits;
    this.#queue = new HashQueue(limits, stopwatch);
    this.#cost = cost;
    this.#decoy = { hash: decoyHash(cost), pepperVersion: keyring.current };
  }

  /** The same hashes in a separate queue that never refuses, for work that no visitor waits for. */
  unbounded(): Passwords {
    const { parallel } = this.#limits;
    const limits = { parallel, waitMs: Infinity, places: Infinity, holdMs: 0 };
    return new Passwords(this.#keyring, limits, undefined, this.#cost);
  }

  /**
   * Does work that leads to one hash, with a place in the queue. Without a place, returns `BUSY` and does nothing.
   * @param arrivedAt when the request arrived
   */
  withPlace<Value>(
    arrivedAt: number,
    work: (place: QueuePlace) => Promise<Value>,
  ): Promise<Value | typeof BUSY> {
    return this.#queue.withPlace(arrivedAt, work);
  }

  /** @param turn the place for this hash, or when the request arrived; default: now */
  async hash(password: string, turn?: QueuePlace | number): Promise<PasswordHash | typeof BUSY> {
    const pepperVersion = this.#keyring.current;
    const make = () => hash(password, { ...this.#cost, secret: this.#pepper(pepperVersion) });
    const made = await this.#queue.run(make, turn);
    return made === BUSY ? BUSY : { hash: made, pepperVersion };
  }

  /**
   * Compares a password. Without a stored hash it does the same work against a hash that no password matches (S2).
   * @param turn the place for this hash, or when the request arrived; default: now
   */
  async verify(
    password: string,
    kept: PasswordHash | undefined,
    turn?: QueuePlace | number,
  ): Promise<Verdict> {
    const against = kept ?? this.#decoy;
    const compare = () => verify(against.hash, password, { secret: this.#pepper(against.pepperVersion) });
    const right = await this.#queue.run(compare, turn);
    if (right === BUSY) return BUSY;
    if (!right) return "wrong";
    return this.#isOutdated(against) ? "outdated" : "right";
  }

  #pepper(version: number): Buffer {
    return this.#keyring.key("pepper", version);
  }

  #isOutdated(kept: PasswordHash): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(kept.hash);
    const cost = this.#cost;
    const sameCost =
      memoryCost === cost.memoryCost && timeCost === cost.timeCost && parallelism === cost.parallelism;
    return !sameCost || kept.pepperVersion !== this.#keyring.current;
  }
}

/** A well-formed hash at this cost that no password matches. */
function decoyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${random(16)}$${random(32)}`;
}
