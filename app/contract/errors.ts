/**
 * The refusals that a backend can answer with (specification §8, backend contract). Three digits are the insurer's
 * catalogue; the three words are this project's own additions.
 */
export const CATALOGUE_CODES = [
  "007",
  "010",
  "012",
  "013",
  "014",
  "015",
  "016",
  "101",
  "105",
  "106",
  "108",
] as const;

/** A code of the catalogue that the portal knows by name. A backend may send others: they are "any other modal error". */
export type CatalogueCode = (typeof CATALOGUE_CODES)[number];

/** Body of a refusal. `retryAfterSeconds` comes with a timed lock (106), `rate-limited` and `busy`. */
export interface RefusalBody {
  readonly errorCode: string;
  readonly retryAfterSeconds?: number;
  /** With `invalid`: the names of the payload's fields that broke a rule. */
  readonly fields?: readonly string[];
}
