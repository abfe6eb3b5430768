import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/**
 * Names the device of each session and event, and prepares trusted devices for tokens that change. A release before this
 * one adds rows without these columns, so each has a default.
 */
export function accountSafety(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run("alter table sessions add column device_name text not null default ''");
      await run("alter table audit_events add column device_name text not null default ''");
      await run("alter table trusted_devices add column family_hash text");
      await run("alter table trusted_devices add column earlier_hash text");
      await run("create unique index by_trusted_devices_family_hash on trusted_devices (family_hash)");
    },
  };
}
