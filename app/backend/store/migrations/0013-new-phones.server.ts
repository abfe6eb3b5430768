import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds the number to which a customer's messages go from a moment on. */
export function newPhones(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run("alter table customers add column new_phone_sealed text");
      await run("alter table customers add column new_phone_from bigint");
    },
  };
}
