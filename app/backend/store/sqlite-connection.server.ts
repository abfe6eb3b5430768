import type * as Packaged from "@photostructure/sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { DatabaseUnavailable } from "./store.server";

/** The part of SQLite that we use: the interface of Node's own `node:sqlite`, which the package implements, too. */
type SqliteEngine = Pick<typeof Packaged, "DatabaseSync" | "backup">;

/** In Node 22 `node:sqlite` is experimental, and says so on stderr. */
const FIRST_NODE = 24;
/**
 * Earlier versions can damage a database that two processes write to, such as a portal and a command
 * (sqlite.org/wal.html#walresetbug).
 */
const FIRST_SQLITE = "3.51.3";

/**
 * Node's own SQLite from Node 24.15 on, otherwise the package's, which is loaded only then (docs/decisions/sqlite.md).
 */
const sqliteEngine: SqliteEngine = enginesOwn() ?? (await import("@photostructure/sqlite"));

function enginesOwn(): SqliteEngine | undefined {
  const { node, sqlite = "0" } = process.versions;
  if (Number.parseInt(node) < FIRST_NODE || isEarlier(sqlite, FIRST_SQLITE)) return undefined;
  const own = process.getBuiltinModule("node:sqlite");
  return isEngine(own) ? own : undefined;
}

function isEarlier(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

/** We compile with the types of Node 20, which has no such module. */
function isEngine(found: object | undefined): found is SqliteEngine {
  return found !== undefined && "DatabaseSync" in found && "backup" in found;
}

/** SQLite's result codes by their numbers (sqlite.org/rescode.html). */
const NAMES = [
  "SQLITE_OK",
  "SQLITE_ERROR",
  "SQLITE_INTERNAL",
  "SQLITE_PERM",
  "SQLITE_ABORT",
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_NOMEM",
  "SQLITE_READONLY",
  "SQLITE_INTERRUPT",
  "SQLITE_IOERR",
  "SQLITE_CORRUPT",
  "SQLITE_NOTFOUND",
  "SQLITE_FULL",
  "SQLITE_CANTOPEN",
  "SQLITE_PROTOCOL",
  "SQLITE_EMPTY",
  "SQLITE_SCHEMA",
  "SQLITE_TOOBIG",
  "SQLITE_CONSTRAINT",
  "SQLITE_MISMATCH",
  "SQLITE_MISUSE",
  "SQLITE_NOLFS",
  "SQLITE_AUTH",
  "SQLITE_FORMAT",
  "SQLITE_RANGE",
  "SQLITE_NOTADB",
] as const;

/** A name of a result code, for example `SQLITE_FULL`. */
export type SqliteCode = (typeof NAMES)[number];

/** An error of SQLite, with its own message, which names tables and columns but no values. */
class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: SqliteCode;

  constructor(message: string, code: SqliteCode) {
    super(message);
    this.code = code;
  }
}

/** Does the work. @throws SqliteError for SQLite's own errors, and any other error as it is */
function withNamedErrors<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw named(error);
  }
}

/** Adds the name of SQLite's code to an error of SQLite. Returns any other error as it is. */
export function named(error: unknown): unknown {
  const code = nameOf(error);
  return error instanceof Error && code !== undefined ? new SqliteError(error.message, code) : error;
}

/** Engines report an extended code; its lowest eight bits are the code. */
function nameOf(error: unknown): SqliteCode | undefined {
  const isNumbered = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isNumbered ? NAMES[Number(error.errcode) & 0xff] : undefined;
}

/** SQLite's code for an error; undefined if the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): SqliteCode | undefined {
  return error instanceof SqliteError ? error.code : undefined;
}

/** Whether SQLite gave up waiting for another process. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === "SQLITE_BUSY";
}

/** Faults of the machine, in words for operators. Any other code is our own bug. */
const FAULTS: Readonly<Partial<Record<SqliteCode, string>>> = {
  SQLITE_FULL: "its disk is full",
  SQLITE_READONLY: "it is read-only",
  SQLITE_IOERR: "its disk fails",
  SQLITE_CANTOPEN: "its files can't be opened",
  SQLITE_CORRUPT: "its file is damaged",
  SQLITE_NOTADB: "its file is damaged",
};

/** Turns a fault of the machine into `DatabaseUnavailable`; returns any other error as it is. */
export function inSqliteWords(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  const words = code && FAULTS[code];
  if (words === undefined) return error;
  return new DatabaseUnavailable(`SQLite cannot be used now: ${words} (${code})`, { takesNoWrites: true });
}

/** Makes a connection throw `DatabaseUnavailable` for faults of the machine. */
function withWords(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      // Needs the await: it may also throw synchronously.
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        throw inSqliteWords(error);
      }
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/** How a file is opened. */
export interface SqliteOpening {
  /** `ro`: read only; `rw`: the file must exist; `rwc` (default): the file is created if missing. */
  readonly mode?: "ro" | "rw" | "rwc";
  /** How long a statement waits for another process, in ms. This process does nothing else meanwhile. */
  readonly waitMs?: number;
}

/** How far a backup is, in pages. */
export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

type Row = Record<string, unknown>;
type EngineStatement = ReturnType<InstanceType<typeof sqliteEngine.DatabaseSync>["prepare"]>;

const WAIT_MS = 5000;
/** Services use fewer statements; commands with lists of any length use new ones without end. */
const MOST_KEPT = 200;

/**
 * One connection to a SQLite file, or to `:memory:`, for Kysely and the commands. Every method may throw an error;
 * `sqliteCodeOf` returns its code.
 */
export class SqliteConnection implements SqliteDatabase {
  readonly #database: InstanceType<typeof sqliteEngine.DatabaseSync>;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  constructor(file: string, { mode = "rwc", waitMs = WAIT_MS }: SqliteOpening = {}) {
    const address = addressOf(file, mode);
    this.#database = withNamedErrors(() => new sqliteEngine.DatabaseSync(address, { timeout: waitMs }));
  }

  /** Runs statements that return no rows. */
  exec(statements: string): this {
    withNamedErrors(() => {
      this.#database.exec(statements);
    });
    return this;
  }

  /** Parses each statement once: parsing costs as much as running, and there are few different ones. */
  prepare(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = withNamedErrors(() => new Statement(this.#database.prepare(text)));
    if (this.#statements.size < MOST_KEPT) this.#statements.set(text, statement);
    return statement;
  }

  /** Runs a statement and returns its rows. The caller must know their type. */
  rows<Of extends object = Row>(text: string, ...parameters: readonly unknown[]): Of[] {
    return this.prepare(text).all(parameters) as Of[];
  }

  /** The first column of a query's first row; undefined if it has no rows. */
  value(text: string, ...parameters: readonly unknown[]): unknown {
    const [row] = this.rows(text, ...parameters);
    return row && Object.values(row)[0];
  }

  /** Copies the database into another file, this many pages at once. Other connections may write meanwhile. */
  async backup(file: string, pages: number, onProgress: (soFar: BackupProgress) => void): Promise<void> {
    try {
      await sqliteEngine.backup(this.#database, file, { rate: pages, progress: onProgress });
    } catch (error) {
      throw named(error);
    }
  }

  /** Rolls back an open transaction, and closes. Closing again does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    withNamedErrors(() => {
      this.#database.close();
    });
  }
}

/** The file as a URL, because only a URL can say how to open it. */
function addressOf(file: string, mode: string): string | URL {
  if (file === ":memory:") return file;
  const address = pathToFileURL(file);
  address.searchParams.set("mode", mode);
  return address;
}

/** A statement with the interface that Kysely expects (better-sqlite3's). */
class Statement implements SqliteStatement {
  readonly #statement: EngineStatement;
  readonly reader: boolean;

  constructor(statement: EngineStatement) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): Row[] {
    return withNamedErrors(() => (this.#statement.all(...bindable(parameters)) as Row[]).map(withBuffers));
  }

  run(parameters: readonly unknown[]): ReturnType<EngineStatement["run"]> {
    return withNamedErrors(() => this.#statement.run(...bindable(parameters)));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<Row> {
    return this.all(parameters).values();
  }
}

/**
 * The package would cut text at a NUL and store undefined as NULL. Refuse both, as Node and PostgreSQL refuse one or
 * the other.
 */
function bindable(parameters: readonly unknown[]): readonly unknown[] {
  for (const parameter of parameters) {
    if (parameter === undefined) throw new TypeError("a parameter of a statement is undefined");
    if (typeof parameter === "string" && parameter.includes("\0"))
      throw new TypeError("a parameter of a statement contains NUL");
  }
  return parameters;
}

/** Turns bytes into Buffers, as PostgreSQL's driver returns them. */
function withBuffers(row: Row): Row {
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value instanceof Uint8Array)
      row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}

const RETRY_MS = 20;
const GIVE_UP_MS = 10_000;

/** Kysely's SQLite dialect, with transactions that take the write lock up front and may contain DDL. */
export function immediateSqliteDialect(database: SqliteConnection): Dialect {
  const stock = new SqliteDialect({ database });
  return {
    createDriver: () => new ImmediateDriver({ database }),
    createAdapter: () => new TransactionalDdlAdapter(),
    createQueryCompiler: () => new PortalCompiler(),
    createIntrospector: (db) => stock.createIntrospector(db),
  };
}

/** In SQLite, a transaction that reads and then writes fails if another process wrote in between. Hence IMMEDIATE. */
class ImmediateDriver extends SqliteDriver implements Driver {
  #only: DatabaseConnection | undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return (this.#only ??= withWords(connection));
  }

  /** After a disk error, SQLite has rolled back already, and complains that there is nothing to roll back. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (sqliteCodeOf(error) !== "SQLITE_ERROR") throw error;
    });
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + GIVE_UP_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        return;
      } catch (error) {
        // Another process, such as an operator's command, is writing. Waiting inside SQLite would block every request.
        if (!isBusy(error)) throw error;
        if (performance.now() > giveUpAt) throw new DatabaseUnavailable("another process keeps writing");
        await wait(RETRY_MS);
      }
    }
  }
}

class PortalCompiler extends SqliteQueryCompiler {
  /** Drops `for update`: a transaction locks the whole database, so rows need no locks. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /** SQLite looks at a bare limit when it plans, so it would prepare the statement again for every run. */
  protected override visitLimit(node: LimitNode): void {
    this.append("limit cast(");
    this.visitNode(node.limit);
    this.append(" as integer)");
  }
}

/**
 * SQLite can roll back DDL, though Kysely assumes it can't. With it, a start that is killed leaves no half-made tables.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
