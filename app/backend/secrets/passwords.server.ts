import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { BUSY, HashQueue, type QueueLimits } from "./hash-queue.server";
import type { Keyring } from "./keyring.server";

/** argon2id as recommended by OWASP and ASVS 11.4.2: 19 MiB, two passes, one lane (S77). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A stored password: a PHC string and the version of the pepper used. */
export interface PasswordHash {
  readonly hash: string;
  readonly pepperVersion: number;
}

/** `outdated`: right, but needs hashing again with the current cost or pepper. */
type Verdict = "right" | "outdated" | "wrong" | typeof BUSY;

/** Hashes and compares passwords, a few at a time. Expects passwords as `readPassword` returns them. */
export class Passwords {
  readonly #keyring: Keyring;
  readonly #queue: HashQueue;
  readonly #decoy: PasswordHash;

  /** @param limits how many hashes may run and wait */
  constructor(keyring: Keyring, limits: QueueLimits) {
    this.#keyring = keyring;
    this.#queue = new HashQueue(limits);
    this.#decoy = { hash: decoyHash(), pepperVersion: keyring.current };
  }

  async hash(password: string): Promise<PasswordHash | typeof BUSY> {
    const pepperVersion = this.#keyring.current;
    const made = await this.#queue.run(() =>
      hash(password, { ...COST, secret: this.#pepper(pepperVersion) }),
    );
    return made === BUSY ? BUSY : { hash: made, pepperVersion };
  }

  /** Compares a password. Without a stored hash it does the same work against a hash that nothing matches (S2). */
  async verify(password: string, kept: PasswordHash | undefined): Promise<Verdict> {
    const against = kept ?? this.#decoy;
    const right = await this.#queue.run(() =>
      verify(against.hash, password, { secret: this.#pepper(against.pepperVersion) }),
    );
    if (right === BUSY) return BUSY;
    if (!right) return "wrong";
    return this.#isOutdated(against) ? "outdated" : "right";
  }

  #pepper(version: number): Buffer {
    return this.#keyring.key("pepper", version);
  }

  #isOutdated(kept: PasswordHash): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(kept.hash);
    const sameCost =
      memoryCost === COST.memoryCost && timeCost === COST.timeCost && parallelism === COST.parallelism;
    return !sameCost || kept.pepperVersion !== this.#keyring.current;
  }
}

/** A well-formed hash, at the current cost, that no password matches. */
function decoyHash(): string {
  const random = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${random(16)}$${random(32)}`;
}
