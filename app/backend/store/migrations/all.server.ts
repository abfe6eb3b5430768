import type { Migration } from "kysely";
import { signIn, type InDialect } from "./0001-sign-in.server";
import { accountFlows } from "./0002-account-flows.server";
import { smsQueue } from "./0003-sms-queue.server";
import { knownBrowsers } from "./0004-known-browsers.server";
import { documents } from "./0005-documents.server";
import { accountSafety } from "./0006-account-safety.server";
import { auditSeals } from "./0007-audit-seals.server";
import { comparedNumbers } from "./0008-compared-numbers.server";

/** Every migration by name, in order. The backend is bundled, so there is no folder to scan. */
export function allMigrations(inDialect: InDialect): Record<string, Migration> {
  return {
    "0001-sign-in": signIn(inDialect),
    "0002-account-flows": accountFlows(inDialect),
    "0003-sms-queue": smsQueue(inDialect),
    "0004-known-browsers": knownBrowsers(inDialect),
    "0005-documents": documents(inDialect),
    "0006-account-safety": accountSafety(inDialect),
    "0007-audit-seals": auditSeals(inDialect),
    "0008-compared-numbers": comparedNumbers(inDialect),
  };
}

const ANY_DIALECT = Object.assign((statement: string) => statement, {
  isPostgres: false,
  idsOfPolicies: [],
  sequenceOfAudit: [],
});

export const MIGRATION_NAMES: readonly string[] = Object.keys(allMigrations(ANY_DIALECT)).sort();

/**
 * The newest migration that removed something earlier releases use. Releases that don't know it refuse the tables. All
 * others can serve on them, so an operator can go back to one (docs/operations/upgrade.md).
 */
export const NEEDED_MIGRATION = "0001-sign-in";
