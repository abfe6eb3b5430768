import { PostgresAdapter, type Kysely } from "kysely";

/** Whether the store is on PostgreSQL, which processes share; otherwise it is on SQLite. */
export function isPostgres(db: Pick<Kysely<unknown>, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
