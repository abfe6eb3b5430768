/** The backend's only source of time: milliseconds since 1970, UTC. Tests hand in their own. */
export type Clock = () => number;

/** The system's clock. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds in a second. */
export const SECOND = 1000;
/** Milliseconds in a minute. */
export const MINUTE = 60 * SECOND;
/** Milliseconds in an hour. */
export const HOUR = 60 * MINUTE;
/** Milliseconds in a day. */
export const DAY = 24 * HOUR;

/** Whole seconds, at least one, until a moment: what `Retry-After` says. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / SECOND));
}
