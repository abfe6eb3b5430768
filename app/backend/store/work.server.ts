import type { Transaction } from "kysely";
import type { OnDatabase, Tx } from "./store.server";
import type { Tables } from "./tables.server";

/** Is told that an after-commit action failed. */
export type ReportFailure = (error: unknown) => void;

/** For programs without a log: ends the process, so that the failure is seen. */
export const failLoudly: ReportFailure = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/** Work that has run but is not committed yet. */
export interface Uncommitted<Value> {
  readonly value: Value;
  /** Runs the actions that the work left in `afterCommit`, once the commit is done. Never throws. */
  readonly committed: (report: ReportFailure) => void;
}

/** Runs work in a transaction that other work may share. For stores only. */
export async function runWork<Value>(
  tx: Transaction<Tables>,
  { isPostgres }: OnDatabase,
  work: (tx: Tx) => Promise<Value>,
): Promise<Uncommitted<Value>> {
  const actions: (() => void)[] = [];
  let isRunning = true;
  const afterCommit = (action: () => void) => {
    if (!isRunning) throw new Error("afterCommit needs the transaction of work that is still running");
    actions.push(action);
  };
  // A new object for the same transaction keeps these actions apart from those of other work.
  const own = Object.assign(tx.withoutPlugins(), { isPostgres, afterCommit });
  const value = await work(own).finally(() => {
    isRunning = false;
  });
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
