import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { BUSY, HashQueue, type QueueLimits } from "./hash-queue.server";
import type { Keyring } from "./keyring.server";

/** argon2id, as OWASP and ASVS 11.4.2 name it: 19 MiB, two passes, one lane (S77). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A password as it is kept: a PHC string, and the version of the pepper that went into it. */
export interface PasswordHash {
  readonly hash: string;
  readonly pepperVersion: number;
}

/** The result of a comparison. `outdated`: right, but to be hashed again with the current cost or pepper. */
export type Verdict = "right" | "outdated" | "wrong" | typeof BUSY;

/** Hashes and compares passwords, a few at a time. Passwords come in as `readPassword` gives them. */
export class Passwords {
  readonly #keyring: Keyring;
  readonly #queue: HashQueue;
  readonly #decoy: PasswordHash;

  /** `limits` bound the work that waits. */
  constructor(keyring: Keyring, limits: QueueLimits) {
    this.#keyring = keyring;
    this.#queue = new HashQueue(limits);
    this.#decoy = { hash: decoyHash(), pepperVersion: keyring.current };
  }

  /** Hashes a password with the current pepper. */
  async hash(password: string): Promise<PasswordHash | typeof BUSY> {
    const pepperVersion = this.#keyring.current;
    const made = await this.#queue.run(() =>
      hash(password, { ...COST, secret: this.#pepper(pepperVersion) }),
    );
    return made === BUSY ? BUSY : { hash: made, pepperVersion };
  }

  /** Compares a password. Without a hash it does the same work against one that nothing matches (S2). */
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

/** A well-formed hash that no password has, at today's cost. */
function decoyHash(): string {
  const random = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${random(16)}$${random(32)}`;
}
