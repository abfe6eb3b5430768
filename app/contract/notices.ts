import type { ActivityDetail } from "./customer-area.server";

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
  "account-unlocked",
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

/** The words of an e-mail, as text and as HTML. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The text of each notice: of an SMS, in Polish, or of an e-mail. */
export type NoticeTexts<Text = string> = Readonly<Record<NoticeEvent, (facts: NoticeFacts) => Text>>;
export type MailTexts = NoticeTexts<MailText>;
