import type { Refusal } from "~/contract/refusal.server";
import { SECOND, secondsUntil } from "../../clock.server";

/** How many windows are remembered. Beyond that the oldest is forgotten, and the database is asked again. */
const MOST = 10_000;

/**
 * The windows that this process has found full. A full window stays full until it ends, so a flood of refused calls
 * need not reach the database.
 */
export class FullWindows {
  /** When each ends, in ms since 1970, at most a second too late. */
  readonly #ends = new Map<string, number>();

  /** The refusal of a window known to be full; undefined if the database has to say. */
  refusal(bucket: string, now: number): Refusal | undefined {
    const end = this.#ends.get(bucket);
    if (end === undefined) return undefined;
    if (now < end - SECOND) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(end, now) };
    this.#ends.delete(bucket);
    return undefined;
  }

  /** Remembers a window that has just refused a call, and for how long. */
  remember(bucket: string, waitSeconds: number, now: number): void {
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= MOST && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(bucket, now + waitSeconds * SECOND);
  }
}
