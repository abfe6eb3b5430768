/** Node fires a timer with a longer delay immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Work that is done again and again. */
interface RegularWork {
  readonly work: () => Promise<unknown>;
  /** Between two rounds, in ms. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Does the work every so often, without keeping the process alive; a round that takes longer is not doubled. The first
 * one comes after the first pause. Returns a function that stops after the current round.
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
