import { CompiledQuery, type Kysely } from "kysely";
import { runWork, type ReportFailure, type Worked } from "./running-work.server";
import type { Tx } from "./store.server";
import type { Tables } from "./tables.server";

/** When a commit is told of: once it is on disk, or once the operating system has it. */
type Durability = "disk" | "system";

interface Member {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly durability: Durability;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Ended =
  | { readonly ok: true; readonly worked: Worked<unknown> }
  | { readonly ok: false; readonly error: unknown };

const SAVEPOINT = CompiledQuery.raw("savepoint member");
const ROLLBACK = CompiledQuery.raw("rollback to member");
const RELEASE = CompiledQuery.raw("release member");
/** How each waits, in SQLite's words (sqlite.org/pragma.html#pragma_synchronous). */
const WAIT: Readonly<Record<Durability, CompiledQuery>> = {
  disk: CompiledQuery.raw("pragma synchronous = full"),
  system: CompiledQuery.raw("pragma synchronous = normal"),
};

/**
 * Lets transactions share a commit. A commit waits for the disk, and SQLite does that on the thread that serves
 * requests, so transactions that arrive meanwhile are committed together. Each resolves only after the shared commit;
 * if one fails, the others are unaffected. A commit that only counts doesn't wait.
 */
export class GroupCommit {
  readonly #db: Kysely<Tables>;
  readonly #report: ReportFailure;
  readonly #largest: number;
  #waiting: Member[] = [];
  #draining: Promise<void> | undefined;
  #durability: Durability | undefined;

  /**
   * @param report told of after-commit actions that fail
   * @param largest the most transactions that may share a commit, so that reads get their turn
   */
  constructor(db: Kysely<Tables>, report: ReportFailure, largest = 64) {
    this.#db = db;
    this.#report = report;
    this.#largest = largest;
  }

  /**
   * Runs the work in a transaction. Resolves after the commit; rejects with whatever the work or the commit threw.
   * @param durability `system` survives the end of this process, but not always that of the machine
   */
  run<Value>(work: (tx: Tx) => Promise<Value>, durability: Durability = "disk"): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.push({ work, durability, resolve: resolve as (value: unknown) => void, reject });
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
      await this.#waitFor(members.some(({ durability }) => durability === "disk") ? "disk" : "system");
      const ended = await this.#db.transaction().execute((tx) => runEach(tx, members));
      for (const [index, end] of ended.entries()) {
        if (end.ok) {
          end.worked.committed(this.#report);
          members[index]?.resolve(end.worked.value);
        } else members[index]?.reject(end.error);
      }
    } catch (error) {
      for (const member of members) member.reject(error);
    }
  }

  /** SQLite can't change this inside a transaction. */
  async #waitFor(durability: Durability): Promise<void> {
    if (durability === this.#durability) return;
    this.#durability = undefined;
    await this.#db.executeQuery(WAIT[durability]);
    this.#durability = durability;
  }
}

async function runEach(tx: Tx, members: readonly Member[]): Promise<readonly Ended[]> {
  const [first] = members;
  // A savepoint would change nothing: what undoes the only member undoes the transaction.
  if (first && members.length === 1) return [{ ok: true, worked: await runWork(tx, first.work) }];
  const ended: Ended[] = [];
  for (const { work } of members) {
    await tx.executeQuery(SAVEPOINT);
    try {
      ended.push({ ok: true, worked: await runWork(tx, work) });
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
