import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const COLUMNS = [
  ...["recipient_sealed text", "text_sealed text", "event text", "request_id text"],
  ...["tries bigint", "due_at bigint", "ends_at bigint"],
];

/**
 * Lets messages wait in the table that says what became of them. The release before adds rows without these columns: it
 * has queues of its own.
 */
export function oneQueue(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const column of COLUMNS) await run(`alter table messages add column ${column}`);
      await run("create index by_messages_waiting on messages (purpose, due_at) where due_at is not null");
      await run(
        `create index by_messages_waiting_codes on messages (due_at)
          where due_at is not null and purpose <> 'notice' and purpose <> 'mail-notice'`,
      );
    },
  };
}
