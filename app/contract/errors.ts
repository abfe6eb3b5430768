/**
 * The insurer's error codes that a backend can return (specification §8). The backend contract adds codes in words,
 * such as `invalid`, `rate-limited` and `busy`.
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

/** A code that the portal knows. A backend may send others, which are "any other modal error". */
export type CatalogueCode = (typeof CATALOGUE_CODES)[number];
