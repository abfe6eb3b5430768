/**
 * The refusals a backend can return (specification §8, backend contract). Three digits are the insurer's
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

/** A code the portal knows by name. A backend may send others, which are "any other modal error". */
export type CatalogueCode = (typeof CATALOGUE_CODES)[number];
