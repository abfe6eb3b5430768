import { DefaultQueryExecutor } from "kysely";
import { vi } from "vitest";

/** The purge, which starts with the backend, and the bounds of transactions that share a commit with it. */
const OTHERS = /^(savepoint|release)|limit 200\)$/;

/** Records the statements that run from now on, without their values. The returned function stops and returns them. */
export function recordStatements(): () => readonly string[] {
  const run = vi.spyOn(DefaultQueryExecutor.prototype, "executeQuery");
  return () => {
    const texts = run.mock.calls.map(([query]) => query.sql);
    run.mockRestore();
    return texts.filter((text) => !OTHERS.test(text));
  };
}
