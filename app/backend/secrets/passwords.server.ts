import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import type { Clock } from "../clock.server";
import { BUSY, HashQueue, type Place, type QueueLimits } from "./hash-queue.server";
import type { Keyring } from "./keyring.server";

/** What an argon2id hash costs. */
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
   * Does work that leads to one hash, with a place in the queue; returns `BUSY` without doing any if there is no place.
   * @param arrivedAt when the request came
   */
  withPlace<Value>(arrivedAt: number, work: (place: Place) => Promise<Value>): Promise<Value | typeof BUSY> {
    return this.#queue.withPlace(arrivedAt, work);
  }

  /** @param turn the place for this hash, or when the request came; default: now */
  async hash(password: string, turn?: Place | number): Promise<PasswordHash | typeof BUSY> {
    const pepperVersion = this.#keyring.current;
    const make = () => hash(password, { ...this.#cost, secret: this.#pepper(pepperVersion) });
    const made = await this.#queue.run(make, turn);
    return made === BUSY ? BUSY : { hash: made, pepperVersion };
  }

  /**
   * Compares a password. Without a stored hash it does the same work against a hash that nothing matches (S2).
   * @param turn the place for this hash, or when the request came; default: now
   */
  async verify(password: string, kept: PasswordHash | undefined, turn?: Place | number): Promise<Verdict> {
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
