import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const LOGIN_PASSES = `login_passes (
  browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
  id text not null unique, key_version bigint not null, ends_at bigint not null, used_at bigint,
  primary key (browser_hash, account_id))`;

/** Creates the table of sign-in passes. */
export function accountFlows(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect(`create table ${LOGIN_PASSES}`)).execute(db);
      await sql.raw("create index by_login_passes_account_id on login_passes (account_id)").execute(db);
      await sql.raw("create index by_login_passes_ends_at on login_passes (ends_at)").execute(db);
    },
  };
}
