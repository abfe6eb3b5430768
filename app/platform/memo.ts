/** Longer keys, in code units, are not worth their memory: they come from what somebody typed. */
const LONGEST_KEY = 300;

/** Remembers values that depend on nothing but a key. When it is full it starts again, so it can't grow. */
export class Memo<Value> {
  readonly #known = new Map<string, Value>();
  readonly #most: number;

  /** @param most how many values it holds */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made at its first asking. */
  get(key: string, make: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (key.length > LONGEST_KEY) return made;
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }
}
