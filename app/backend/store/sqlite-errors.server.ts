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
export function naming<Value>(work: () => Value): Value {
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
