import type { Migration } from "kysely";
import { signIn, type InDialect } from "./0001-sign-in.server";
import { accountFlows } from "./0002-account-flows.server";
import { smsQueue } from "./0003-sms-queue.server";

/** Every migration by name, in order; imported one by one, since the backend is bundled and has no folder to look in. */
export function allMigrations(inDialect: InDialect): Record<string, Migration> {
  return {
    "0001-sign-in": signIn(inDialect),
    "0002-account-flows": accountFlows(inDialect),
    "0003-sms-queue": smsQueue(inDialect),
  };
}

/** Their names, in order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(
  allMigrations((createTable) => createTable),
).sort();
