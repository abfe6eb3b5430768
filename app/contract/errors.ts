/**
 * The refusals that a backend can answer with (specification §8, backend contract). Three digits are the insurer's
 * catalogue; the others (`invalid`, `rate-limited`, `busy`) are this project's own.
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
