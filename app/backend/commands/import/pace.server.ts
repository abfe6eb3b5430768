import { SECOND, stopwatch, type Clock } from "~/platform/time.server";

const MB = 1024 * 1024;
/** How long an answer of `isPortalServing` counts, in ms. */
const LOOK_MS = SECOND;

/** How much an import does at a time, and how long it pauses afterwards. */
export interface Pace {
  /** Maximum per transaction, unless a single line has more. */
  readonly most: {
    readonly lines: number;
    /** People and policies. */
    readonly names: number;
    /** Of the lines themselves, which are in memory together. */
    readonly characters: number;
    readonly documents: number;
    /** Of the documents, which are in memory together, too. */
    readonly bytes: number;
  };
  /** The pause after a transaction, as a multiple of the time that it took. */
  readonly rest: number;
  /** Whether the next lines are prepared while a transaction is under way. */
  readonly preparesAhead: boolean;
}

/** Nobody is waiting: large transactions, few commits. */
export const ALONE: Pace = {
  most: { lines: 250, names: 1000, characters: MB, documents: 50, bytes: 4 * MB },
  rest: 0,
  preparesAhead: true,
};

/**
 * On SQLite, sign-ins wait while a transaction is open; on PostgreSQL, they share processors and disk with the import.
 */
export const BESIDE_PORTALS: Pace = {
  most: { lines: 16, names: 64, characters: MB / 4, documents: 4, bytes: MB },
  rest: 3,
  preparesAhead: false,
};

/** Chooses the pace, looking for portals at most once a second. */
export function paceBeside(
  isPortalServing: () => Promise<boolean>,
  now: Clock = stopwatch,
): () => Promise<Pace> {
  let pace = BESIDE_PORTALS;
  let lookAgainAt = -Infinity;
  return async () => {
    if (now() >= lookAgainAt) {
      pace = (await isPortalServing()) ? BESIDE_PORTALS : ALONE;
      lookAgainAt = now() + LOOK_MS;
    }
    return pace;
  };
}
