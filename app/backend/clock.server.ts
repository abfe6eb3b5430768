/** Milliseconds since 1970, UTC: the backend's only source of time. Tests pass their own. */
export type Clock = () => number;

/** The clock of the machine. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds in a second. */
export const SECOND = 1000;
/** Milliseconds in a minute. */
export const MINUTE = 60 * SECOND;
/** Milliseconds in an hour. */
export const HOUR = 60 * MINUTE;
/** Milliseconds in a day. */
export const DAY = 24 * HOUR;

/** Whole seconds until a moment, at least one, as `Retry-After` gives them. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / SECOND));
}
