import { CompiledQuery, type Transaction } from "kysely";
import type { Reader, Tx } from "./store.server";
import type { Tables } from "./tables.server";
import { runWork, type ReportFailure, type Uncommitted } from "./work.server";

interface Member {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Ended =
  | { readonly ok: true; readonly ran: Uncommitted<unknown> }
  | { readonly ok: false; readonly error: unknown };

const SAVEPOINT = CompiledQuery.raw("savepoint member");
const ROLLBACK = CompiledQuery.raw("rollback to member");
const RELEASE = CompiledQuery.raw("release member");

/**
 * Lets transactions share a commit. A commit waits for the disk, and SQLite does that on the thread that serves
 * requests, so transactions that arrive meanwhile are committed together. Each resolves only after the shared commit;
 * if one fails, the others are unaffected.
 */
export class GroupCommit {
  readonly #db: Reader;
  readonly #report: ReportFailure;
  readonly #largest: number;
  #waiting: Member[] = [];
  #draining: Promise<void> | undefined;

  /**
   * @param report told of after-commit actions that fail
   * @param largest the most transactions that may share a commit, so that reads get their turn
   */
  constructor(db: Reader, report: ReportFailure, largest = 64) {
    this.#db = db;
    this.#report = report;
    this.#largest = largest;
  }

  /** Runs the work in a transaction. Resolves after the commit; rejects with whatever the work or the commit threw. */
  run<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Wait until this turn of the event loop ends, so that transactions that arrive during it join in.
      await new Promise((resume) => setImmediate(resume));
      await this.#commit(this.#waiting.splice(0, this.#largest));
    }
    this.#draining = undefined;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    try {
      const ended = await this.#db.transaction().execute((tx) => this.#runEach(tx, members));
      for (const [index, end] of ended.entries()) {
        if (end.ok) {
          end.ran.committed(this.#report);
          members[index]?.resolve(end.ran.value);
        } else members[index]?.reject(end.error);
      }
    } catch (error) {
      for (const member of members) member.reject(error);
    }
  }

  async #runEach(tx: Transaction<Tables>, members: readonly Member[]): Promise<readonly Ended[]> {
    const [first] = members;
    // A savepoint would change nothing: what undoes the only member undoes the transaction.
    if (first && members.length === 1) return [{ ok: true, ran: await runWork(tx, this.#db, first.work) }];
    const ended: Ended[] = [];
    for (const { work } of members) {
      await tx.executeQuery(SAVEPOINT);
      try {
        ended.push({ ok: true, ran: await runWork(tx, this.#db, work) });
      } catch (error) {
        // After a disk error, SQLite has rolled back everything and the savepoint is gone: then report the disk error.
        await tx.executeQuery(ROLLBACK).catch(() => {
          throw error;
        });
        ended.push({ ok: false, error });
      }
      await tx.executeQuery(RELEASE);
    }
    return ended;
  }
}
