import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

// A customer has at most one request of each act, so that a doubled press asks once.
const STAFF_REQUESTS = `staff_requests (
  id text primary key, customer_id text not null references customers (id) on delete cascade,
  act text not null, asker text not null, operator text not null, reason text not null, seen text not null,
  ends_at bigint not null, unique (customer_id, act))`;

/** Creates the table of the help desk's acts that wait for a second person. */
export function helpDesk(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect(`create table ${STAFF_REQUESTS}`)).execute(db);
      await sql
        .raw(inDialect("create index by_staff_requests_ends_at on staff_requests (ends_at)"))
        .execute(db);
    },
  };
}
