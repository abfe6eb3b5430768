import { join } from "node:path";
import type { Environment } from "./environment.server";

/** Where archived months of the audit go, and how many whole months stay in the database. */
export interface AuditSettings {
  readonly folder: string;
  readonly keepMonths: number;
}

/** The archives are in the data directory, unless the operator names another folder. */
export function auditSettings(
  settings: Pick<Environment, "DATA_DIR" | "AUDIT_ARCHIVE_DIR" | "AUDIT_KEEP_MONTHS">,
): AuditSettings {
  const { DATA_DIR, AUDIT_ARCHIVE_DIR, AUDIT_KEEP_MONTHS } = settings;
  return { folder: AUDIT_ARCHIVE_DIR ?? join(DATA_DIR, "audit"), keepMonths: AUDIT_KEEP_MONTHS };
}
