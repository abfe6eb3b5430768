import { pathToFileURL } from "node:url";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { sqliteEngine } from "./sqlite-engine.server";
import { named, naming } from "./sqlite-errors.server";

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
    this.#database = naming(() => new sqliteEngine.DatabaseSync(address, { timeout: waitMs }));
  }

  /** Runs statements that return no rows. */
  exec(statements: string): this {
    naming(() => {
      this.#database.exec(statements);
    });
    return this;
  }

  /** Parses each statement once: parsing costs as much as running, and there are few different ones. */
  prepare(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = naming(() => new Statement(this.#database.prepare(text)));
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
    naming(() => {
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
    return naming(() => (this.#statement.all(...bindable(parameters)) as Row[]).map(withBuffers));
  }

  run(parameters: readonly unknown[]): ReturnType<EngineStatement["run"]> {
    return naming(() => this.#statement.run(...bindable(parameters)));
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
