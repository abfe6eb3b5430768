import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/**
 * Adds the keyed hashes by which the help desk finds a customer: of the name, the phone numbers and the e-mail address.
 * Earlier releases add rows without them; a portal fills these, because that needs its keys.
 */
export function findIndexes(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const column of ["name_index", "phone_index", "new_phone_index", "email_index"])
        await run(`alter table customers add column ${column} text`);
      // With the id, so that rows without the hash are read in order.
      await run("create index by_customers_name_index on customers (name_index, id)");
      await run("create index by_customers_phone_index on customers (phone_index)");
      await run(
        `create index by_customers_new_phone_index on customers (new_phone_index)
          where new_phone_index is not null`,
      );
      await run(
        "create index by_customers_email_index on customers (email_index) where email_index is not null",
      );
    },
  };
}
