import { reasonOf, StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { allMigrations, rehearseMigrations, runMigrations } from "./migrations/run.server";
import type { Reader } from "./store.server";

/** Runs the missing migrations and returns their names. @throws StartRefusal */
export function migrateSqlite(db: Reader): Promise<readonly string[]> {
  return runMigrations(db, allMigrations(inSqlite)).catch(explain);
}

/** Runs the missing migrations in a transaction, rolls it back, and returns their names. @throws StartRefusal */
export function rehearseSqlite(db: Reader): Promise<readonly string[]> {
  return rehearseMigrations(db, allMigrations(inSqlite)).catch(explain);
}

function explain(error: unknown): never {
  if (error instanceof StartRefusal) throw error;
  const reason = reasonOf(error);
  throw new StartRefusal(`the database could not be brought up to date: ${reason}`);
}

/** STRICT makes SQLite check types, as PostgreSQL always does. SQLite's `integer` holds 64 bits. */
export const inSqlite = Object.assign(
  (statement: string) => {
    const typed = statement.replaceAll(" bigint", " integer").replaceAll(" bytea", " blob");
    return statement.startsWith("create table") ? `${typed} strict` : typed;
  },
  {
    isPostgres: false,
    // SQLite has no random default.
    policyId: "id text",
    policyIds: [
      `create trigger ids_of_policies after insert on policies when new.id is null begin
        update policies set id = lower(hex(randomblob(16))) where policy_no = new.policy_no;
      end`,
    ],
    // Existing files have the name in quotes.
    audit: [
      `create table "audit_events" (
        seq integer primary key autoincrement, id text not null, happened_at bigint not null, event text not null,
        account_id text, subject text, purpose text, address text not null, request_id text not null,
        device_name text not null default '', operator text, reason text, erased_hash text)`,
    ],
  },
);
