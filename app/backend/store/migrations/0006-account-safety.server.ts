import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/**
 * Names the device of each session and event, prepares trusted devices for tokens that change, and indexes the audit
 * for an account's activity. Earlier releases add rows without these columns, so each has a default.
 */
export function accountSafety(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run("create index by_username_changes_changed_at on username_changes (changed_at)");
      await run("create index by_sms_queue_codes on sms_queue (due_at) where purpose <> 'notice'");
      // Strangers can add any number of refused sign-ins to an account; its activity must load as fast all the same.
      await run(
        "create index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
      );
      await run("drop index by_audit_events_account_id_happened_at");
      await run("alter table audit_events add column device_name text not null default ''");
      await run("alter table trusted_devices add column family_hash text");
      await run("alter table trusted_devices add column earlier_hash text");
      await run("create unique index by_trusted_devices_family_hash on trusted_devices (family_hash)");
      // Last, because no session can be used from here until the commit.
      await run("alter table sessions add column device_name text not null default ''");
    },
  };
}
