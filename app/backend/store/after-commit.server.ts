import type { Reader, Tx } from "./store.server";

const waiting = new WeakMap<Reader, (() => void)[]>();

/**
 * Runs the action once the work on `tx`, started by `write` or `apart`, is durable. If the work is rolled back or
 * retried, the action is dropped with it.
 * @throws Error if no work is running on `tx`, since there would be no commit to wait for
 */
export function afterCommit(tx: Reader, action: () => void): void {
  const actions = waiting.get(tx);
  if (!actions) throw new Error("afterCommit needs the transaction of work that is still running");
  actions.push(action);
}

/** Work that has run but is not committed yet. */
export interface Worked<Value> {
  readonly value: Value;
  /** Runs the actions queued by `afterCommit`. The store calls it once the commit is done. */
  readonly committed: () => void;
}

/** Runs work in a transaction that other work may share. For stores only. */
export function runWork<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Worked<Value>> {
  // A new object for the same transaction keeps these actions apart from those of other work.
  return run(tx.withoutPlugins(), work);
}

/** Runs statements that each commit on their own. For stores only. */
export function runApart<Value>(
  db: Reader,
  statements: (db: Reader) => Promise<Value>,
): Promise<Worked<Value>> {
  return run(db.withoutPlugins(), statements);
}

async function run<Own extends Reader, Value>(
  own: Own,
  work: (own: Own) => Promise<Value>,
): Promise<Worked<Value>> {
  const actions: (() => void)[] = [];
  waiting.set(own, actions);
  const value = await work(own).finally(() => waiting.delete(own));
  return {
    value,
    committed: () => {
      for (const action of actions) action();
    },
  };
}
