import { sql, type Kysely, type Migration } from "kysely";
import { comparedIfPlain, isPlain } from "../plain-policy-numbers.server";
import type { OnDatabase } from "../store.server";
import type { InDialect } from "./0001-sign-in.server";

/**
 * Adds the forms in which policy numbers and personal identifiers are compared. Earlier releases add rows without them.
 *
 * SQL can read only plain numbers as `readPolicyNo` does; a portal reads the others, and all identifiers, because they
 * need its keys. Each index is in the order in which it walks over what is left.
 */
export function comparedNumbers(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      // No customer can see policies from here until the commit, nor sign in once it comes to the customers.
      await run("alter table policies add column policy_no_compared text");
      await fillPlain(db, inDialect);
      await run("create index by_policies_policy_no_compared on policies (policy_no_compared, policy_no)");
      await run("alter table customers add column pid_compared_index text");
      // Most identifiers have no separators, so that the first index finds them: a second of all would slow imports.
      await run(
        `create index by_customers_pid_compared_index on customers (pid_compared_index, id)
          where pid_compared_index <> pid_index or pid_compared_index is null`,
      );
    },
  };
}

/** PostgreSQL rewrites the table in a fraction of the time that it takes to update each row. */
async function fillPlain(db: Kysely<unknown>, on: OnDatabase): Promise<void> {
  const filled = sql`case when ${isPlain(on)} then ${comparedIfPlain} end`;
  const statement = on.isPostgres
    ? sql`alter table policies alter column policy_no_compared type text collate "C" using ${filled}`
    : sql`update policies set policy_no_compared = ${filled}`;
  await statement.execute(db);
}
