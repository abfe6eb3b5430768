import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const TABLES = [
  `factors (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    kind text not null, name text not null, added_at bigint not null, last_used_at bigint,
    secret_sealed text not null, last_step bigint not null)`,
  `prepared_factors (
    account_id text not null references accounts (id) on delete cascade, kind text not null,
    id text not null unique, session_id text not null references sessions (id) on delete cascade,
    secret_sealed text not null, tries bigint not null, ends_at bigint not null, used_at bigint,
    primary key (account_id, kind))`,
  `factor_settings (
    account_id text primary key references accounts (id) on delete cascade,
    sms text not null, last_method text not null, reset_at bigint,
    recovery_sealed text, recovery_set_at bigint)`,
];
const INDEXES = [
  "by_factors_account_id on factors (account_id)",
  "by_prepared_factors_session_id on prepared_factors (session_id)",
  "by_prepared_factors_ends_at on prepared_factors (ends_at)",
];

/** Creates the tables of second factors, and the columns that say which accounts have some. */
export function factors(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const table of TABLES) await run(`create table ${table}`);
      for (const index of INDEXES) await run(`create index ${index}`);
      // Last, because no customer can sign in from here until the commit.
      await run("alter table accounts add column has_factors bigint not null default 0");
      await run("alter table sessions add column recovered_at bigint");
    },
  };
}
