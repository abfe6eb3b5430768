import type { Purpose } from "~/contract/purposes";

/** Something that people may ask about later (S92). */
export interface AuditEvent {
  readonly event: AuditEventName;
  readonly accountId?: string | undefined;
  /** Without an account: a customer id, or a keyed hash of the details entered. */
  readonly subject?: string | undefined;
  readonly purpose?: Purpose | undefined;
}

/** Also the names in the log and in `audit_events`. */
export const AUDIT_EVENTS = [
  "password-right",
  "password-wrong",
  "sign-in-blocked",
  "sign-in-locked",
  "sign-in-refused-by-state",
  "signed-in",
  "signed-out",
  "code-sent",
  "code-not-sent",
  "code-for-nobody",
  "code-right",
  "code-wrong",
  "code-blocked",
  "device-trusted",
  "devices-forgotten",
  "device-replayed",
  "sessions-ended",
  "account-registered",
  "password-changed",
  "password-reset",
  "username-changed",
  "username-reminded",
  "document-password-set",
  "document-password-opened",
  "document-downloaded",
  // By the insurer's staff (S97).
  "account-shown",
  "account-unlocked",
  "account-disabled",
  "account-enabled",
  "account-expired",
  "caps-reset",
  "data-exported",
  "data-erased",
  "audit-shown",
  "database-restored",
] as const;

/** The name of an event. */
export type AuditEventName = (typeof AUDIT_EVENTS)[number];
