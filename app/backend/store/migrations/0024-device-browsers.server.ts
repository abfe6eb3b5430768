import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

/** Adds the browser of a trusted device. The previous release leaves it empty. */
export function deviceBrowsers(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql.raw(inDialect("alter table trusted_devices add column browser_hash text")).execute(db);
    },
  };
}
