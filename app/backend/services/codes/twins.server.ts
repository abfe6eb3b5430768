/**
 * Doubled submits that are under way at the same time share one run, so that a confirm that takes long is worked on
 * once. It saves work only: what makes a confirm single is the code's row in the store, for other processes too.
 */
export class Twins {
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs the work, or joins the run that goes under the same key. */
  join<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#running.get(key) as Promise<Value> | undefined;
    if (known) return known;
    const run = work().finally(() => this.#running.delete(key));
    this.#running.set(key, run);
    return run;
  }
}
