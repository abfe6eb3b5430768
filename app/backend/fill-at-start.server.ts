import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "~/platform/telemetry/log.server";
import { stopwatch } from "./clock.server";
import type { Keyring } from "./secrets/keyring.server";
import { fillCustomers, fillPolicies, isAnyUnfilled } from "./services/accounts/compared-forms.server";
import type { Store } from "./store/store.server";

/** The pause after each few rows, as a multiple of the time that they took: customers are being served meanwhile. */
const REST = 3;

interface Dependencies {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly log: Log;
}

/**
 * Fills what rows of an earlier release lack, in the background. `portal migrate` can't, because it has no keys. What a
 * start has done stays done, and the next one goes on. Returns a function that stops after the current few rows.
 */
export async function fillAtStart(deps: Dependencies): Promise<() => Promise<void>> {
  if (!(await isAnyUnfilled(deps.store))) return () => Promise.resolve();
  const stop = new AbortController();
  const filling = fill(deps, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) deps.log.error({ err: error, event: "numbers-not-filled" }, "customers");
  });
  return async () => {
    stop.abort();
    await filling;
  };
}

async function fill({ store, keyring, log }: Dependencies, stop: AbortSignal): Promise<void> {
  await fillAll(stop, (after) => fillPolicies(store, after));
  await fillAll(stop, (after) => fillCustomers(store, keyring, after));
  log.info({ event: "numbers-filled" }, "customers");
}

/** @throws Error if it is to stop */
async function fillAll(stop: AbortSignal, next: (after: string) => Promise<string | undefined>) {
  for (let after: string | undefined = ""; after !== undefined; ) {
    stop.throwIfAborted();
    const beganAt = stopwatch();
    after = await next(after);
    await wait((stopwatch() - beganAt) * REST, undefined, { signal: stop, ref: false });
  }
}
