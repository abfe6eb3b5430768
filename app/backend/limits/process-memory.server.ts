import type { Refusal } from "~/contract/refusal.server";
import { SECOND, secondsUntil } from "~/platform/time.server";

/*
 * Things that one process remembers between calls, to save work. Other processes don't know them; the database decides.
 */

/**
 * Double submits that arrive at the same time share one run, so that a slow confirm is computed once. This only saves
 * work: the code's row in the database makes sure that a confirm happens once, across processes too.
 */
export class InFlightConfirms {
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs the work, or joins a run that is in progress under the same key. */
  join<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#running.get(key) as Promise<Value> | undefined;
    if (known) return known;
    const run = work().finally(() => this.#running.delete(key));
    this.#running.set(key, run);
    return run;
  }
}

/** At most this many windows are remembered. Then the oldest is forgotten, and the database is asked again. */
const MOST = 10_000;

/**
 * The windows that this process has found full. A full window stays full until it ends, so a flood of refused calls
 * need not reach the database (S110).
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
