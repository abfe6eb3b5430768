// Without it: nobody is warned; the session ends, and the sign-in page says why.

/** How long a session lasts: without a request, and at most; in seconds, as the server has them. */
export interface SessionLimits {
  readonly idleSeconds: number;
  readonly maxSeconds: number;
}

/** What the browser knows of its session, in ms since the epoch. */
export interface SessionTimes {
  /** When it was first seen here. */
  readonly beganAt: number;
  /** When the last request ended, or began if it is under way. */
  readonly touchedAt: number;
}

/** Where a session stands; `forMs`: the next look is due after this long. */
export type SessionPhase =
  | { readonly kind: "quiet"; readonly forMs: number }
  | {
      readonly kind: "warning";
      readonly forMs: number;
      /** What is left, rounded up. */
      readonly minutes: number;
      /** A request makes it last longer; not so when it has reached its greatest age. */
      readonly canStay: boolean;
    }
  | { readonly kind: "over" };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A person is told this long before the end, or half-way to it where sessions are shorter. */
const WARNING_MS = 2 * MINUTE;
/** The server is asked a little later than it must have ended: asked too early, it would go on. */
const GRACE_MS = 2 * SECOND;

/** Where a session stands at a moment. Timestamps and no counting: a tab may have slept. */
export function sessionPhase(
  { beganAt, touchedAt }: SessionTimes,
  { idleSeconds, maxSeconds }: SessionLimits,
  now: number,
): SessionPhase {
  const lastEnd = beganAt + maxSeconds * SECOND;
  const end = Math.min(touchedAt + idleSeconds * SECOND, lastEnd);
  const warning = Math.min(WARNING_MS, (idleSeconds * SECOND) / 2);
  const left = end - now;
  if (left > warning) return { kind: "quiet", forMs: left - warning };
  if (left <= -GRACE_MS) return { kind: "over" };
  const minutes = Math.max(1, Math.ceil(left / MINUTE));
  const next = minutes > 1 ? left - (minutes - 1) * MINUTE : left + GRACE_MS;
  return { kind: "warning", forMs: next, minutes, canStay: lastEnd - now > warning };
}
