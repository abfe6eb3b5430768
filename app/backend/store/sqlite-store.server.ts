import { CompiledQuery, Kysely, type Transaction } from "kysely";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { makeFile } from "./data-directory.server";
import { immediateSqliteDialect, SqliteConnection } from "./sqlite-connection.server";
import {
  failLoudly,
  type Reader,
  tryWriting,
  Writability,
  type ReportFailure,
  runWork,
  type Store,
  type Tx,
  type Uncommitted,
} from "./store.server";
import type { Tables } from "./tables.server";
import { migrateSqlite } from "./sqlite-migrations.server";

/** "TARN" in ASCII: marks a SQLite file as the portal's. */
export const APPLICATION_ID = 0x54_41_52_4e;
const BUSY_MS = 250;
/** Room for the pages of an hour's customers and the upper levels of every index. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the portal's file, or creates it.
 * @throws StartRefusal if the file belongs to another program
 */
export function openSqliteFile(file: string): Reader {
  const database = openPortalFile(file, true);
  database.exec("pragma journal_mode = wal");
  // Otherwise the package's SQLite would not wait for the disk, and a power cut could undo what a customer was told.
  database.exec("pragma synchronous = full");
  database.exec("pragma temp_store = memory");
  database.exec(`pragma cache_size = ${-CACHE_KIB}`);
  return readerOver(database);
}

/**
 * Opens an existing file without changing anything.
 * @throws StartRefusal if it can't be opened or belongs to another program
 */
export function openSqliteFileAsItIs(file: string): Reader {
  return readerOver(openPortalFile(file, false));
}

function readerOver(database: SqliteConnection): Reader {
  database.exec("pragma foreign_keys = on");
  const db = new Kysely<Tables>({ dialect: immediateSqliteDialect(database) });
  return Object.assign(db, { isPostgres: false });
}

/** A file with tables must carry our application id. A file without tables becomes ours if `mayCreate`. */
function openPortalFile(file: string, mayCreate: boolean): SqliteConnection {
  try {
    if (mayCreate) makeFile(file);
    const database = new SqliteConnection(file, { mode: "rw", waitMs: BUSY_MS });
    if (hasPortalId(database)) return database;
    if (isEmpty(database)) {
      if (mayCreate) database.exec(`pragma application_id = ${APPLICATION_ID}`);
      return database;
    }
    database.close();
  } catch (error) {
    throw new StartRefusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
  throw new StartRefusal(`${file} is not the portal's database: another program created it`);
}

function hasPortalId(database: SqliteConnection): boolean {
  return database.value("pragma application_id") === APPLICATION_ID;
}

function isEmpty(database: SqliteConnection): boolean {
  return database.value("select count(*) from sqlite_schema") === 0;
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
class GroupCommit {
  readonly #db: Reader;
  readonly #report: ReportFailure;
  readonly #largest: number;
  #waiting: Member[] = [];
  #draining: Promise<void> | undefined;

  /**
   * @param report called for after-commit actions that fail
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
 * @param report called for after-commit actions that fail
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
