const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** An operator's wish that a command ends early. */
interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM. A second one ends the process at once, as it would have without this. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly ignore: () => void;
}

/** Lets a command end by itself when it is interrupted: it finishes what must be whole, and says how far it came. */
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
