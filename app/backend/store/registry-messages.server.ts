import type { Purpose } from "~/contract/purposes";
import type { NoticeEvent } from "../services/notices/notice-events.server";
import type { MessageGateway, MessagePurpose, MessageState } from "./column-values.server";
import {
  CODES_INSIDE,
  LINK,
  moment,
  nullable,
  number,
  OF_DETAILS,
  OWN_ID,
  plain,
  type Registered,
  sealed,
  under,
} from "./registry-entry.server";

/** The part of the registry about text messages and e-mails. */
export const MESSAGE_TABLES = {
  /** Messages waiting for the gateway. */
  sms_queue: {
    ...OF_DETAILS,
    as: "waitingMessages",
    about: "Text messages to the person's number that are not delivered yet.",
    kept: () => "until they are delivered; a code at most until it expires, a notice for a day",
    remark: () => "an hour more without a sender",
    setBy: ["CODE_LIFETIME_SECONDS", "SMS_NOTICE_SECONDS"],
    columns: {
      id: OWN_ID,
      /** Empty in a decoy, which is written and dropped. */
      recipient_sealed: sealed("to"),
      text_sealed: under("prefix", CODES_INSIDE),
      purpose: plain<Purpose | "notice">("purpose"),
      /** The request that caused it. */
      request_id: plain("requestId"),
      /** Delivery attempts so far, including the one under way. */
      tries: number(plain("attemptsToDeliver")),
      /** When the next attempt is due; while a message is being sent, when its claim expires. */
      due_at: moment("nextAttemptAt"),
      sent_at: moment("writtenAt"),
      /** When the code expires, or the notice is too old to send. */
      ends_at: moment("tooLateAt"),
    },
  },
  /** E-mails waiting for the mail server. They say what happened and to whom; text and address are found when sending. */
  mail_queue: {
    of: "customer",
    as: "waitingMails",
    about: "E-mails to the person that are not delivered yet.",
    kept: ({ MAIL_NOTICE_SECONDS }) =>
      `until they are delivered; ${MAIL_NOTICE_SECONDS / 3600} hours at most`,
    remark: () => "an hour more without a sender",
    setBy: ["MAIL_NOTICE_SECONDS"],
    erasure: "deletes",
    expires: true,
    columns: {
      id: OWN_ID,
      /** Null in a decoy, which is written and dropped. */
      customer_id: nullable(LINK),
      event: plain<NoticeEvent>("event"),
      /** The request that caused it. */
      request_id: plain("requestId"),
      tries: number(plain("attemptsToDeliver")),
      /** As in `sms_queue`. */
      due_at: moment("nextAttemptAt"),
      /** When it was written, which is when the event happened. */
      sent_at: moment("writtenAt"),
      ends_at: moment("tooLateAt"),
    },
  },
  /** The outcome of each text message and e-mail, without its text and its address. */
  messages: {
    of: "customer",
    as: "messages",
    about: "What became of the text messages and e-mails to the person, without their texts.",
    kept: ({ MESSAGE_DAYS }) => `${MESSAGE_DAYS} days`,
    setBy: ["MESSAGE_DAYS"],
    erasure: "deletes",
    expires: true,
    columns: {
      /** That of its row in `sms_queue`, `mail_queue` or `outbox`. */
      id: OWN_ID,
      /** Null in a decoy. */
      customer_id: nullable(LINK),
      purpose: plain<MessagePurpose>("purpose"),
      state: plain<MessageState>("state"),
      /** Why the gateway refused it, or why the last attempt failed, in our words. */
      reason: nullable(plain("reasonOfTheGateway")),
      gateway: nullable(plain<MessageGateway>("gateway")),
      /** The gateway's id for it; null if it gives none. */
      gateway_id: nullable(plain("numberAtTheGateway")),
      written_at: moment("writtenAt"),
      /** When it came into its state. */
      changed_at: moment("inThisStateSince"),
    },
  },
  /** The demo's messages; `recipient_sealed` is empty in a decoy. */
  outbox: {
    ...OF_DETAILS,
    as: "demoMessages",
    about: "Messages to the person's number that a demo shows instead of sending them.",
    kept: () => "a day",
    columns: {
      id: OWN_ID,
      recipient_sealed: sealed("to"),
      text_sealed: under("prefix", CODES_INSIDE),
      sent_at: moment("writtenAt"),
    },
  },
} satisfies Readonly<Record<string, Registered>>;
