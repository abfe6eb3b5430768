import { SECOND, stopwatch, type Clock } from "../../clock.server";

const MB = 1024 * 1024;
/** How long an answer counts, in ms. */
const LOOK_MS = SECOND;

/** How much an import does at a time, and how long it then leaves the machine to others. */
export interface Pace {
  /** The most in one transaction, unless a single line has more. */
  readonly most: {
    readonly lines: number;
    /** People and policies. */
    readonly names: number;
    /** The lines themselves: they are in memory together. */
    readonly characters: number;
    readonly documents: number;
    /** The content of documents. They are in memory together, too. */
    readonly bytes: number;
  };
  /** The pause after a transaction, as a multiple of the time that it took. */
  readonly rest: number;
  /** Whether the next lines are prepared while a transaction is under way. */
  readonly preparesAhead: boolean;
}

/** Nobody waits: few commits. */
export const ALONE: Pace = {
  most: { lines: 250, names: 1000, characters: MB, documents: 50, bytes: 4 * MB },
  rest: 0,
  preparesAhead: true,
};

/** On SQLite a sign-in waits while a transaction is open; on PostgreSQL it shares the processors and the disk. */
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
