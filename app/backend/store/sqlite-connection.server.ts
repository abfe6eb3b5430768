import { pathToFileURL } from "node:url";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { sqliteEngine } from "./sqlite-engine.server";
import { named, naming } from "./sqlite-errors.server";

/** How a file is opened. */
export interface SqliteOpening {
  /** `ro`: to read, `rw`: a file that exists, `rwc` (the default): it is made if there is none. */
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
/** Services have fewer; commands with lists of any length would never stop. */
const MOST_KEPT = 200;

/**
 * One connection to a SQLite file, or to `:memory:`, as Kysely and the commands use it. Everything it does may throw an
 * error that `sqliteCodeOf` tells the code of.
 */
export class SqliteConnection implements SqliteDatabase {
  readonly #database: InstanceType<typeof sqliteEngine.DatabaseSync>;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  constructor(file: string, { mode = "rwc", waitMs = WAIT_MS }: SqliteOpening = {}) {
    const address = addressOf(file, mode);
    this.#database = naming(() => new sqliteEngine.DatabaseSync(address, { timeout: waitMs }));
  }

  /** Runs statements that answer with no rows. */
  exec(statements: string): this {
    naming(() => {
      this.#database.exec(statements);
    });
    return this;
  }

  /** Parsing a statement costs as much as running it, and there are few different ones: each is parsed once. */
  prepare(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = naming(() => new Statement(this.#database.prepare(text)));
    if (this.#statements.size < MOST_KEPT) this.#statements.set(text, statement);
    return statement;
  }

  /** Runs a statement. @returns its rows, which the caller knows the type of */
  rows<Of extends object = Row>(text: string, ...parameters: readonly unknown[]): Of[] {
    return this.prepare(text).all(parameters) as Of[];
  }

  /** The first column of a query's first row; undefined if it has no rows. */
  value(text: string, ...parameters: readonly unknown[]): unknown {
    const [row] = this.rows(text, ...parameters);
    return row && Object.values(row)[0];
  }

  /** Copies the database into another file, so many pages at once. Other connections may write meanwhile. */
  async backup(file: string, pages: number, onProgress: (soFar: BackupProgress) => void): Promise<void> {
    try {
      await sqliteEngine.backup(this.#database, file, { rate: pages, progress: onProgress });
    } catch (error) {
      throw named(error);
    }
  }

  /** Also rolls back a transaction that is open. Closing again does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    naming(() => {
      this.#database.close();
    });
  }
}

/** An address, since only that says how the file is to be opened. */
function addressOf(file: string, mode: string): string | URL {
  if (file === ":memory:") return file;
  const address = pathToFileURL(file);
  address.searchParams.set("mode", mode);
  return address;
}

/** A statement with the interface that Kysely knows, better-sqlite3's. */
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

/** The package would store text up to a NUL only, and NULL for undefined; Node and PostgreSQL refuse one or the other. */
function bindable(parameters: readonly unknown[]): readonly unknown[] {
  for (const parameter of parameters) {
    if (parameter === undefined) throw new TypeError("a parameter of a statement is undefined");
    if (typeof parameter === "string" && parameter.includes("\0"))
      throw new TypeError("a parameter of a statement contains NUL");
  }
  return parameters;
}

/** Bytes as Buffers, as the client of PostgreSQL gives them. */
function withBuffers(row: Row): Row {
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value instanceof Uint8Array)
      row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}
