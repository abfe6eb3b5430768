import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const MESSAGES = `messages (
  id text primary key, customer_id text, purpose text not null, state text not null, reason text,
  gateway text, gateway_id text, written_at bigint not null, changed_at bigint not null)`;

/** Creates the table that says what became of each message. An earlier release neither writes nor needs it. */
export function messages(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run(`create table ${MESSAGES}`);
      await run("create index by_messages_customer_id on messages (customer_id)");
      await run("create index by_messages_written_at on messages (written_at)");
    },
  };
}
