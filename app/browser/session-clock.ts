// Without it: there is no warning; the session ends, and the sign-in page says why.
import { type SessionLimits, WARNING_MINUTES } from "~/contract/rules/page";

/** The browser's view of its session, in ms since the epoch. */
export interface SessionTimes {
  /** When it was first seen here. */
  readonly beganAt: number;
  /** When the last request ended, or started if it is still running. */
  readonly touchedAt: number;
}

/** The phase of a session; check again after `forMs`. */
export type SessionPhase =
  | { readonly kind: "quiet"; readonly forMs: number }
  | {
      readonly kind: "warning";
      readonly forMs: number;
      /** Whether a minute or less is left. */
      readonly isLastMinute: boolean;
      /** Whether a request would extend it; not once it nears its maximum age. */
      readonly canStay: boolean;
    }
  | { readonly kind: "over" };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** We ask the server a little after the end: asked too early, it would extend the session. */
const GRACE_MS = 2 * SECOND;

/** The phase of a session at a moment. Computed from timestamps, not counted down: a tab may have slept. */
export function sessionPhase(
  { beganAt, touchedAt }: SessionTimes,
  { idleSeconds, maxSeconds }: SessionLimits,
  now: number,
): SessionPhase {
  const lastEnd = beganAt + maxSeconds * SECOND;
  const end = Math.min(touchedAt + idleSeconds * SECOND, lastEnd);
  // Halfway through the idle time, if that is shorter.
  const warning = Math.min(WARNING_MINUTES * MINUTE, (idleSeconds * SECOND) / 2);
  const left = end - now;
  if (left > warning) return { kind: "quiet", forMs: left - warning };
  if (left <= -GRACE_MS) return { kind: "over" };
  const isLastMinute = left <= MINUTE;
  const forMs = isLastMinute ? left + GRACE_MS : left - MINUTE;
  return { kind: "warning", forMs, isLastMinute, canStay: lastEnd - now > warning };
}
