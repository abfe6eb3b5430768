/**
 * Doubled submits that arrive at the same time share one run, so that a slow confirm is computed once. This only saves
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
