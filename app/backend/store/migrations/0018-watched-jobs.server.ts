import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Creates the tables of when each job last succeeded, and of how far each portal's clock is ahead. */
export function watchedJobs(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const statement of [
        "create table job_successes (job text primary key, succeeded_at bigint not null)",
        `create table portal_clocks (
          portal text primary key, ahead_ms bigint not null, seen_at bigint not null)`,
      ])
        await sql.raw(inDialect(statement)).execute(db);
    },
  };
}
