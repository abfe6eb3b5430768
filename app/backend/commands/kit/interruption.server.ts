const SIGNALS = ["SIGINT", "SIGTERM"] as const;

interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM. A second one ends the process at once, as usual. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly ignore: () => void;
}

/** Lets an interrupted command end by itself, so that it can finish what it began and say how far it got. */
export function interruption(): Interruption {
  const stop = new AbortController();
  const ignore = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = () => {
    ignore();
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: stop.signal, ignore };
}
