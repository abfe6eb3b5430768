import type { ActivityDetail } from "~/contract/customer-area.server";
import type { NoticeEvent } from "../store/message-kinds.server";
import type { MailText } from "./smtp.server";

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
