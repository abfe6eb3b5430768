import { reasonOf, StartRefusal } from "../start-refusal.server";
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
    // SQLite refuses a random default for an added column.
    idsOfPolicies: [
      "alter table policies add column id text",
      "update policies set id = lower(hex(randomblob(16)))",
      `create trigger ids_of_policies after insert on policies when new.id is null begin
        update policies set id = lower(hex(randomblob(16))) where policy_no = new.policy_no;
      end`,
    ],
    // SQLite can't change a primary key, so the table is rebuilt.
    sequenceOfAudit: [
      `create table audit_numbered (
        seq integer primary key autoincrement, id text not null, happened_at integer not null, event text not null,
        account_id text, subject text, purpose text, address text not null, request_id text not null,
        device_name text not null default '') strict`,
      `insert into audit_numbered (id, happened_at, event, account_id, subject, purpose, address, request_id, device_name)
        select id, happened_at, event, account_id, subject, purpose, address, request_id, device_name
        from audit_events order by id`,
      "drop table audit_events",
      "alter table audit_numbered rename to audit_events",
      "create index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
    ],
  },
);
