import type { Reader, Tx } from "./store.server";

const waiting = new WeakMap<Reader, (() => void)[]>();

/**
 * Remembers what is to happen when the work of this transaction, or of these statements apart, is durable. It is forgotten when the work is undone, or
 * done again from the start.
 */
export function afterCommit(tx: Reader, act: () => void): void {
  waiting.get(tx)?.push(act);
}

/** A piece of work that ran, and what its success sets off: to be called after the commit. */
export interface Worked<Value> {
  readonly value: Value;
  readonly committed: () => void;
}

/** Runs a piece of work in a transaction that it may share with others. For stores only. */
export function runWork<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Worked<Value>> {
  // The same transaction as an object of its own, so that what waits for it is nobody else's.
  return run(tx.withoutPlugins(), work);
}

/** Runs statements that are transactions by themselves. For stores only. */
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
  const acts: (() => void)[] = [];
  waiting.set(own, acts);
  const value = await work(own);
  return {
    value,
    committed: () => {
      for (const act of acts) act();
    },
  };
}
