import { sql, type Kysely, type Migration } from "kysely";

/**
 * Empties the two queues from which nothing is sent or purged any more. The previous release has moved what was due
 * there to `messages`, and adds nothing.
 */
export function formerQueues(): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const queue of ["sms_queue", "mail_queue"]) await sql`delete from ${sql.table(queue)}`.execute(db);
    },
  };
}
