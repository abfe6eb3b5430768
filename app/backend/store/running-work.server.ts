import type { DatabaseConnection } from "kysely";
import type { Reader, Tx } from "./store.server";

/** Work that a store is running. */
interface Running {
  readonly connection: DatabaseConnection;
  /** To run after the commit. */
  readonly actions: (() => void)[];
}

const running = new WeakMap<Reader, Running>();

/**
 * The connection of the work that is running on `db`; undefined if none is. Kysely itself would hand it to each
 * statement through a queue and half a dozen promises, for work that always waits for one statement before the next.
 */
export function connectionOf(db: Reader): DatabaseConnection | undefined {
  return running.get(db)?.connection;
}

/**
 * Runs the action once the work on `tx`, started by `write`, `apart` or `count`, is committed. If the work is rolled
 * back or retried, the action is dropped with it. If the action fails, that is reported and changes nothing else: the
 * work is committed and is answered as such.
 * @throws Error if no work is running on `tx`, since there would be no commit to wait for
 */
export function afterCommit(tx: Reader, action: () => void): void {
  const actions = running.get(tx)?.actions;
  if (!actions) throw new Error("afterCommit needs the transaction of work that is still running");
  actions.push(action);
}

/** Is told that an after-commit action failed. */
export type ReportFailure = (error: unknown) => void;

/** For programs without a log: ends the process, so that the failure is seen. */
export const failLoudly: ReportFailure = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/** Work that has run but is not committed yet. */
export interface Worked<Value> {
  readonly value: Value;
  /** Runs the actions queued by `afterCommit`. The store calls it once the commit is done. Never throws. */
  readonly committed: (report: ReportFailure) => void;
}

/** Runs work in a transaction that other work may share. For stores only. */
export function runWork<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Worked<Value>> {
  // A new object for the same transaction keeps these actions apart from those of other work.
  return run(tx.withoutPlugins(), work);
}

/** Runs statements on one connection that each commit on their own. For stores only. */
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
  // It stays ours until the work has ended, although Kysely lends it for the length of a promise.
  const connection = await own.getExecutor().provideConnection((only) => Promise.resolve(only));
  running.set(own, { connection, actions });
  const value = await work(own).finally(() => running.delete(own));
  return {
    value,
    committed: (report) => {
      for (const action of actions) runAction(action, report);
    },
  };
}

function runAction(action: () => void, report: ReportFailure): void {
  try {
    action();
  } catch (error) {
    try {
      report(error);
    } catch {
      // On a full disk, the action may have failed to log, and then this can't be logged either.
    }
  }
}
