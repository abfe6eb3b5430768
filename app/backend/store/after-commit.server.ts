import type { Reader, Tx } from "./store.server";

const waiting = new WeakMap<Reader, (() => void)[]>();

/**
 * Runs the action once the work of this transaction, or of these statements apart, is durable. If the work is undone, or
 * runs again from the start, the action is dropped with it.
 * @throws Error when no such work is running on `tx`: there would be no commit to run the action after
 */
export function afterCommit(tx: Reader, action: () => void): void {
  const actions = waiting.get(tx);
  if (!actions) throw new Error("afterCommit needs the transaction of work that is still running");
  actions.push(action);
}

/** Work that has run but is not committed yet. */
export interface Worked<Value> {
  readonly value: Value;
  /** Runs the actions that the work left for after the commit. The store calls it then. */
  readonly committed: () => void;
}

/** Runs work in a transaction that it may share with other work. For stores only. */
export function runWork<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Worked<Value>> {
  // A separate object for the same transaction, so that its actions are not mixed with those of other work.
  return run(tx.withoutPlugins(), work);
}

/** Runs statements that are each a transaction of their own. For stores only. */
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
