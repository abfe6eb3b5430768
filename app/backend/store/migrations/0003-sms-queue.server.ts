import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const SMS_QUEUE = `sms_queue (
  id text primary key, recipient_sealed text not null, text_sealed text not null,
  purpose text not null, request_id text not null, tries bigint not null,
  due_at bigint not null, sent_at bigint not null, ends_at bigint not null)`;

/** Creates the queue of text messages to the gateway. */
export function smsQueue(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect(`create table ${SMS_QUEUE}`)).execute(db);
      await sql.raw("create index by_sms_queue_due_at on sms_queue (due_at)").execute(db);
    },
  };
}
