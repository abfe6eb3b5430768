import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds how many codes in a row were wrong in unknown browsers. An earlier release leaves the column as it is. */
export function factorGuesses(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const column = "wrong_in_row bigint not null default 0";
      await sql.raw(inDialect(`alter table factor_settings add column ${column}`)).execute(db);
    },
  };
}
