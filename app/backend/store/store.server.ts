import { randomBytes } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import { SECOND } from "~/platform/time.server";
import type { Tables } from "./tables.server";

/**
 * The database can't be reached, took too long or takes no writes. The request may be fine, so it is answered 503 and
 * can be retried. A commit that was under way may or may not have gone through.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** Whether it may still answer reads: it is read-only, or its disk is full. */
  readonly takesNoWrites: boolean;

  constructor(message: string, { takesNoWrites = false } = {}) {
    super(message);
    this.takesNoWrites = takesNoWrites;
  }
}

/**
 * Thrown by work when something that it read earlier has changed: the store rolls back and runs the work again. This
 * can't happen on SQLite, where transactions run one at a time.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** The kind of database, which Kysely doesn't say: PostgreSQL, which processes share, or else SQLite. */
export interface OnDatabase {
  readonly isPostgres: boolean;
}

/** Where a read-only query may run: on its own or inside a transaction. */
export type Reader = Kysely<Tables> & OnDatabase;

/**
 * An open transaction. Await only queries inside it, no hashing and no network, because the next writer is waiting.
 * SQLite runs one transaction at a time. On PostgreSQL each statement sees what was committed before it began, so lock
 * the rows that you read and rely on (`forNoKeyUpdate`), an account before a code.
 */
export type Tx = Transaction<Tables> &
  OnDatabase & {
    /**
     * Runs the action once the work is committed. If the work is rolled back or retried, the action is dropped with it.
     * If the action fails, that is reported and changes nothing else: the work is committed and is answered as such.
     * @throws Error if the work has ended, since there may be no commit left to wait for
     */
    readonly afterCommit: (action: () => void) => void;
  };

/** The backend's store. Services write only inside `write` and take its transaction as their first parameter. */
export interface Store {
  /** Queries outside a transaction: reads only. */
  readonly read: Reader;
  /**
   * Runs the work in a transaction and resolves once it is durable. Only an exception rolls back: a returned refusal
   * keeps its changes. Don't nest calls.
   *
   * The work may run more than once until a run is committed (and asks for it by throwing `Overtaken`), so anything but
   * queries belongs in `afterCommit`. Change a row that many requests change at once last, because the others wait for
   * it until the commit. What must stay even if later work fails is a call of its own.
   * @throws DatabaseUnavailable, and whatever the work throws
   */
  write<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /** @throws Error if the database doesn't answer in time or, on PostgreSQL, migrations are missing */
  check(): Promise<void>;
  /** Waits for work under way, then closes. */
  close(): Promise<void>;
}

/** Called when an after-commit action has failed. */
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
  // A new object for the same transaction keeps these actions apart from the actions of other work.
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

/**
 * Locks a name until the transaction ends, for things that have no row to lock yet. On SQLite it does nothing, because
 * only one transaction runs at a time.
 */
export async function takeAdvisoryLock(tx: Tx, name: string): Promise<void> {
  if (tx.isPostgres) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

const COUNTER_LIMIT = 0x1_00_00;
let counter = 0;

/**
 * An id that sorts by time and, within one process and millisecond, by creation order: time (ms), a counter and 40
 * random bits, in hexadecimal. For rows that are written often and read in order.
 */
export function orderedId(now: number): string {
  counter = (counter + 1) % COUNTER_LIMIT;
  const time = now.toString(16).padStart(12, "0");
  return `${time}-${counter.toString(16).padStart(4, "0")}-${randomBytes(5).toString("hex")}`;
}

/** How long a refused write counts: longer than load balancers take to notice. */
const HOLD_MS = 10 * SECOND;
const FACT = "write-check";

/**
 * Knows whether the database takes writes (S115). A full disk may still have room for a check's small write, so a
 * customer's refused write counts for a while, too.
 */
export class Writability {
  #refusedAt = -Infinity;

  /** Returns the result of a write, and remembers if it was refused. */
  async watch<Value>(write: Promise<Value>): Promise<Value> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.takesNoWrites) this.#refusedAt = performance.now();
      throw error;
    }
  }

  /** @throws DatabaseUnavailable if a write was refused a moment ago */
  requireNoRefusal(): void {
    if (performance.now() - this.#refusedAt < HOLD_MS)
      throw new DatabaseUnavailable("the database refused a write a moment ago", { takesNoWrites: true });
  }
}

/** Checks with the smallest possible write. @throws DatabaseUnavailable */
export async function tryWriting(db: Kysely<Tables>): Promise<void> {
  const value = String(Date.now());
  await db
    .insertInto("facts")
    .values({ name: FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
