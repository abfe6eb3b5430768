import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { sqliteCodeOf, type SqliteCode } from "./sqlite-errors.server";

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
export function withWords(connection: DatabaseConnection): DatabaseConnection {
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
