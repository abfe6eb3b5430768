import { createHash } from "node:crypto";
import type { ReadNumber } from "~/contract/identifiers";

/** How many numbers are remembered at the most. They take 25 MB. */
const MOST = 2 ** 20;
const FIRST_PLACES = 2 ** 10;

/** What a file has said about a policy number: nothing, the same spelling, another one, or nobody knows any more. */
export type SeenSpelling = "none" | "same" | "another" | "forgotten";

/**
 * The spelling of each policy number that an import has written, so that two spellings in one file don't become one
 * policy. A file may have any length, so memory must be bounded: numbers are kept as hashes, and only so many.
 */
export class SeenNumbers {
  readonly #most: number;
  #count = 0;
  /** The hash of the compared form; 0 is an empty place. At most half of the places are taken. */
  #forms = new BigUint64Array(FIRST_PLACES);
  /** The hash of the spelling, at the same place. */
  #spellings = new Uint32Array(FIRST_PLACES);

  constructor(most = MOST) {
    this.#most = most;
  }

  /** What the file has said about this number so far. */
  spellingOf(number: ReadNumber): SeenSpelling {
    const { form, spelling } = hashesOf(number);
    const place = this.#placeOf(form);
    if (this.#forms[place] === form) return this.#spellings[place] === spelling ? "same" : "another";
    return this.#count >= this.#most ? "forgotten" : "none";
  }

  /** Remembers the spelling of a number that was written. The first one counts. */
  add(number: ReadNumber): void {
    const { form, spelling } = hashesOf(number);
    if (this.#forms[this.#placeOf(form)] === form || this.#count >= this.#most) return;
    if (this.#count >= this.#forms.length / 2) this.#grow();
    this.#put(form, spelling);
    this.#count += 1;
  }

  #put(form: bigint, spelling: number): void {
    const place = this.#placeOf(form);
    this.#forms[place] = form;
    this.#spellings[place] = spelling;
  }

  #grow(): void {
    const [forms, spellings] = [this.#forms, this.#spellings];
    this.#forms = new BigUint64Array(forms.length * 2);
    this.#spellings = new Uint32Array(forms.length * 2);
    for (const [place, form] of forms.entries()) if (form !== 0n) this.#put(form, spellings[place] ?? 0);
  }

  /** Where this form is, or would go: the first place from its own that has it or is empty. */
  #placeOf(form: bigint): number {
    const { length } = this.#forms;
    let place = Number(form % BigInt(length));
    while (this.#forms[place] !== 0n && this.#forms[place] !== form) place = (place + 1) % length;
    return place;
  }
}

function hashesOf({ read, compared }: ReadNumber): { readonly form: bigint; readonly spelling: number } {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return { form: hash(compared).readBigUInt64LE() || 1n, spelling: hash(read).readUInt32LE() };
}
