import { PostgresAdapter } from "kysely";
import type { Reader } from "./store.server";

/** Whether the store is on PostgreSQL, which processes share; otherwise it is on SQLite. */
export function isPostgres(db: Reader): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
