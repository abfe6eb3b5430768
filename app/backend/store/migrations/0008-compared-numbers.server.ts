import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds the forms in which policy numbers and personal identifiers are compared. */
export function comparedNumbers(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run("alter table policies add column policy_no_compared text");
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
