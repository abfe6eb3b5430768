import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/**
 * Adds whether the customer has shown that they wrote their recovery code down. Earlier codes count as written down; an
 * earlier release leaves the column as it is. Deletes passkeys that a release without passkeys has left behind when it
 * removed an account's last app: they would count again with the next factor.
 */
export function recoveryKept(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const column = "recovery_kept bigint not null default 1";
      await sql.raw(inDialect(`alter table factor_settings add column ${column}`)).execute(db);
      await sql`delete from passkeys where account_id not in (select account_id from factor_settings)`.execute(
        db,
      );
    },
  };
}
