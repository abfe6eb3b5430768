import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds the premium of a policy. The release before leaves the column as it is. */
export function premiums(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect("alter table policies add column premium_sealed text")).execute(db);
    },
  };
}
