/** Node fires a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface RegularWork {
  readonly work: () => Promise<unknown>;
  /** From one round to the next, in ms. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Does the work regularly, first after `everyMs`, without keeping the process alive. A round is skipped if the one
 * before still runs. Returns a function that stops after the current round.
 */
export function runRegularly({ work, everyMs, onError }: RegularWork): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  const start = () => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  };
  const timer = setInterval(start, Math.min(everyMs, LONGEST_TIMER_MS));
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
