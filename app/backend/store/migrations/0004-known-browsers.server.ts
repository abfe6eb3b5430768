import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const KNOWN_BROWSERS = `known_browsers (
  browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
  id text not null unique, ends_at bigint not null,
  primary key (browser_hash, account_id))`;

/** Creates the table of known browsers, and the column for when a code was last resent. */
export function knownBrowsers(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect(`create table ${KNOWN_BROWSERS}`)).execute(db);
      await sql.raw("create index by_known_browsers_account_id on known_browsers (account_id)").execute(db);
      await sql.raw("create index by_known_browsers_ends_at on known_browsers (ends_at)").execute(db);
      await sql
        .raw(inDialect("alter table codes add column resent_at bigint not null default 0"))
        .execute(db);
    },
  };
}
