import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const COLUMNS = [
  "passkeys add column discoverable bigint",
  "passkeys add column backup_eligible bigint",
  "passkeys add column backed_up bigint",
  "passkeys add column aaguid text",
  "accounts add column passkey_user_handle text",
];

/**
 * Lets passkeys sign in. What only a registration knows is null for those of before, and for those that the release before
 * adds. The handle stays with the account when its last passkey is removed.
 */
export function passkeySignIn(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const column of COLUMNS) await run(`alter table ${column}`);
      await run(
        `create table passkey_sign_ins (
          browser_hash text not null, slot bigint not null, id text not null unique, challenge text not null unique,
          ends_at bigint not null, used_at bigint, answer_hash text,
          primary key (browser_hash, slot))`,
      );
      await run("create index by_passkey_sign_ins_ends_at on passkey_sign_ins (ends_at)");
      await sql`update accounts
        set passkey_user_handle = (select min(user_handle) from passkeys where account_id = accounts.id)
        where id in (select account_id from passkeys)`.execute(db);
    },
  };
}
