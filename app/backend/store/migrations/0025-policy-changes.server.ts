import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds the day on which an import last changed a policy. The previous release leaves the column as it is. */
export function policyChanges(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect("alter table policies add column changed_on text")).execute(db);
    },
  };
}
