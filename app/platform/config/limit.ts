/** A limit of the product. Caps are looser in demo mode so that repeated tests from one machine don't hit them. */
export interface Limit {
  readonly value: number;
  readonly inDemo: number;
  /** For operators, in whole sentences. */
  readonly about: string;
}

const DEMO_FACTOR = 25;

/** A limit that is the same in every mode: tries, locks, lifetimes. */
export const limit = (value: number, about: string): Limit => ({ value, inDemo: value, about });
/** A limit on how many events there may be in a period, looser in demo mode. */
export const cap = (value: number, about: string): Limit => ({ value, inDemo: value * DEMO_FACTOR, about });
