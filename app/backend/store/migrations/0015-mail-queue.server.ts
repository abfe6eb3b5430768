import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const MAIL_QUEUE = `mail_queue (
  id text primary key, customer_id text, event text not null, request_id text not null, tries bigint not null,
  due_at bigint not null, sent_at bigint not null, ends_at bigint not null)`;

/** Creates the queue of e-mails to the mail server. An earlier release neither writes nor needs it. */
export function mailQueue(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run(`create table ${MAIL_QUEUE}`);
      await run("create index by_mail_queue_due_at on mail_queue (due_at)");
      await run("create index by_mail_queue_customer_id on mail_queue (customer_id)");
    },
  };
}
