import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Creates the table of what operators tell all customers. */
export function announcements(inDialect: InDialect): Migration {
  const table = `create table announcements (
    kind text primary key, text_pl text not null, text_en text not null, ends_at bigint not null)`;
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect(table)).execute(db);
    },
  };
}
