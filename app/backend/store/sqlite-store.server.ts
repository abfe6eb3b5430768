import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { SECOND } from "../clock.server";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { openSqliteFile } from "./sqlite-file.server";
import { migrateSqlite } from "./sqlite-migrations.server";
import {
  type Reader,
  type ReportFailure,
  type Store,
  type Tx,
  type Uncommitted,
  failLoudly,
  runWork,
} from "./store.server";
import type { Tables } from "./tables.server";

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

/**
 * Opens the SQLite store and brings its tables up to date.
 * @param report told of after-commit actions that fail
 * @throws StartRefusal if the file belongs to another program or a later version of the portal
 */
export async function openSqliteStore(file: string, report = failLoudly): Promise<Store> {
  const db = openSqliteFile(file);
  await migrateSqlite(db).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  const group = new GroupCommit(db, report);
  const writability = new Writability();
  return {
    read: db,
    write: (work) => writability.watch(group.run(work)),
    check: async () => {
      writability.requireNoRefusal();
      await group.run(tryWriting);
    },
    close: async () => {
      await group.settled();
      await db.destroy();
    },
  };
}
