import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

// Not rows of `factors`: an earlier release would take them for apps.
const TABLES = [
  `passkeys (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    name text not null, added_at bigint not null, last_used_at bigint,
    credential_id text not null unique, user_handle text not null, public_key_sealed text not null,
    counter bigint not null, user_verified bigint not null, transports text not null)`,
  `passkey_challenges (
    browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
    purpose text not null, id text not null unique, challenge text not null, ends_at bigint not null,
    primary key (browser_hash, account_id, purpose))`,
];
const INDEXES = [
  "by_passkeys_account_id on passkeys (account_id)",
  "by_passkey_challenges_account_id on passkey_challenges (account_id)",
  "by_passkey_challenges_ends_at on passkey_challenges (ends_at)",
];

/** Creates the tables of passkeys. */
export function passkeys(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const table of TABLES) await run(`create table ${table}`);
      for (const index of INDEXES) await run(`create index ${index}`);
    },
  };
}
