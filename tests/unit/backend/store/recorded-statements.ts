import pg from "pg";
import { vi } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";

/** Statements of the purge, which starts with the backend, and those of transactions and their commits. */
const OTHERS = /^(begin|start transaction|commit|savepoint|release|pragma)|limit 200\)$/;

/** Records the statements that run from now on, without their values. The returned function stops and returns them. */
export function recordStatements(): () => readonly string[] {
  const onSqlite = vi.spyOn(SqliteConnection.prototype, "prepare");
  const onPostgres = vi.spyOn(pg.Client.prototype, "query");
  return () => {
    // The pool gives each statement a name, which makes it an object. Tests run theirs as plain text.
    const named = onPostgres.mock.calls.flatMap(([query]: readonly unknown[]) =>
      isNamed(query) ? [query.text] : [],
    );
    const texts = [...onSqlite.mock.calls.map(([text]) => text), ...named];
    onSqlite.mockRestore();
    onPostgres.mockRestore();
    return texts.filter((text) => !OTHERS.test(text));
  };
}

function isNamed(query: unknown): query is { readonly text: string } {
  return typeof query === "object" && query !== null && "text" in query && typeof query.text === "string";
}
