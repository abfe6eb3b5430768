/** Longer keys, in code units, are not worth their memory: somebody typed them. */
const LONGEST_KEY = 300;

/** Remembers values that depend only on a key. It is emptied when full, so it can't grow without limit. */
export class Memo<Value> {
  readonly #known = new Map<string, Value>();
  readonly #most: number;

  /** @param most how many values it holds */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made when first asked for. */
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
