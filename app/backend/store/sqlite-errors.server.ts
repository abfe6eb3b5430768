import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { DatabaseUnavailable } from "./database-unavailable.server";

/** What the machine does to the file, by the beginning of SQLite's result code, in words for operators. */
const FAULTS: readonly (readonly [code: string, words: string])[] = [
  ["SQLITE_FULL", "its disk is full"],
  ["SQLITE_READONLY", "it is read-only"],
  ["SQLITE_IOERR", "its disk fails"],
  ["SQLITE_CANTOPEN", "its files can't be opened"],
  ["SQLITE_CORRUPT", "its file is damaged"],
  ["SQLITE_NOTADB", "its file is damaged"],
];

/** SQLite's result code, such as `SQLITE_IOERR_WRITE` (sqlite.org/rescode.html); undefined for other errors. */
export function sqliteCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = String(error.code);
  return code.startsWith("SQLITE_") ? code : undefined;
}

/** Tells a fault of the machine from a statement that is wrong. */
export function inSqliteWords(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  const fault = FAULTS.find(([start]) => code?.startsWith(start));
  if (!fault) return error;
  const [, words] = fault;
  return new DatabaseUnavailable(`SQLite cannot be used now: ${words} (${String(code)})`, {
    takesNoWrites: true,
  });
}

/** A connection whose faults are `DatabaseUnavailable`. */
export function withWords(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      // It throws at once, though it returns a promise.
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        throw inSqliteWords(error);
      }
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}
