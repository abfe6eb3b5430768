const TWO_TO_32 = 2 ** 32;
const OFTEN = 0.2;

/** Random choices that a seed repeats. */
export class Dice {
  #state: number;

  /** @param seed a whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  }

  /** Whether something with this probability happens. */
  happens(probability: number): boolean {
    return this.roll() < probability;
  }

  /** A whole number from 1 to `most`: often the most, otherwise each power of two is as likely as the next. */
  size(most: number): number {
    if (this.happens(OFTEN)) return Math.max(1, Math.floor(most));
    return Math.max(1, Math.min(most, Math.round(2 ** (this.roll() * Math.log2(most)))));
  }

  /** One of these. @throws Error if there is none */
  one<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.roll() * items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }

  /** A piece of one of these texts, repeated to about this length, in UTF-16 code units. */
  text(pieces: readonly string[], length: number): string {
    const piece = this.one(pieces);
    return piece.repeat(Math.ceil(length / piece.length));
  }
}
