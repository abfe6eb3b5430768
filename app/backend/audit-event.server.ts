import type { Purpose } from "~/contract/purposes";

/** What is kept of every event that someone may ask about later (S92). */
export interface AuditEvent {
  readonly event: AuditEventName;
  readonly accountId?: string | undefined;
  /** Where there is no account: a customer, or a keyed hash of what was typed. */
  readonly subject?: string | undefined;
  readonly purpose?: Purpose | undefined;
}

/** The events. */
export type AuditEventName =
  | "password-right"
  | "password-wrong"
  | "sign-in-blocked"
  | "sign-in-refused-by-state"
  | "signed-in"
  | "signed-out"
  | "code-sent"
  | "code-not-sent"
  | "code-right"
  | "code-wrong"
  | "code-blocked"
  | "device-trusted"
  | "devices-forgotten"
  | "account-registered"
  | "password-changed"
  | "username-changed"
  | "username-reminded"
  | "document-password-set";
