import type { ActivityDetail } from "~/contract/customer-area.server";
import type { MailText } from "../../mail/smtp.server";

/** The events that notices are about. Each is named after its audit event. */
export const NOTICE_EVENTS = [
  "password-changed",
  "password-reset",
  "username-changed",
  "document-password-set",
  "device-trusted",
  "device-replayed",
  "sign-in-locked",
  "factor-added",
  "factor-removed",
  "recovery-code-used",
  "recovery-code-new",
  "sms-at-sign-in",
  "factor-guessed",
  "factors-reset",
  "details-changed",
  "new-phone-used",
  "new-phone-stopped",
] as const;

/** An event that customers get a notice of. */
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** The details of its event that a notice says, so that a customer can tell whether it was theirs. */
export interface NoticeFacts {
  /** When it happened (ms). */
  readonly at: number;
  /** The device that became trusted. */
  readonly deviceName?: string | undefined;
  readonly detail?: ActivityDetail | undefined;
}

/** The text of each e-mail notice, in Polish and English. */
export type MailTexts = Readonly<Record<NoticeEvent, (facts: NoticeFacts) => MailText>>;

/** The Polish text of each SMS notice. */
export type NoticeTexts = Readonly<Record<NoticeEvent, (facts: NoticeFacts) => string>>;
