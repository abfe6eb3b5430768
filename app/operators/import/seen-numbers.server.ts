import type { ReadNumber } from "~/contract/rules";

/** How many numbers are remembered at most. They take 98 MB, and the garbage of growing as much again, in a command that ends with its file. */
const MOST = 2 ** 20;

/** A file's earlier spelling of a policy number: none, the same, another one, or one that is no longer remembered. */
export type SeenSpelling = "none" | "same" | "another" | "forgotten";

/**
 * The spelling of each policy number that an import has written, so that two spellings in one file don't become one
 * policy. A file may have any length, so only so many are kept.
 */
export class SeenNumbers {
  readonly #most: number;
  /** By the compared form. */
  readonly #spellings = new Map<string, string>();

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Compares a number with the file's earlier spelling of it. */
  spellingOf({ read, compared }: ReadNumber): SeenSpelling {
    const seen = this.#spellings.get(compared);
    if (seen !== undefined) return seen === read ? "same" : "another";
    return this.#spellings.size >= this.#most ? "forgotten" : "none";
  }

  /** Remembers the spelling of a number that was written. The first one counts. */
  add({ read, compared }: ReadNumber): void {
    if (!this.#spellings.has(compared) && this.#spellings.size < this.#most)
      this.#spellings.set(compared, read);
  }
}
