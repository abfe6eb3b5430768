import type { NoticeEvent } from "~/contract/notices";
import type { MessageGateway, MessagePurpose, MessageState } from "./message-kinds.server";
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
  leftOut,
} from "./registry-entry.server";

/** The part of the registry about text messages and e-mails. */
export const MESSAGE_TABLES = {
  /** The demo's messages; `recipient_sealed` is empty in a decoy. An erasure finds them by their rows in `messages`. */
  outbox: {
    ...OF_DETAILS,
    as: "demoMessages",
    about: "Messages to the person's number that a demo shows instead of sending them.",
    kept: () => "a day",
    columns: {
      id: OWN_ID,
      recipient_sealed: sealed("to"),
      text_sealed: leftOut(CODES_INSIDE),
      sent_at: moment("writtenAt"),
    },
  },
  /** Each text message and e-mail: the content while it waits; then the outcome, without text and address. */
  messages: {
    of: "customer",
    as: "messages",
    about: "Text messages and e-mails to the person: those not delivered yet, and what became of the others.",
    kept: ({ MESSAGE_DAYS }) => `${MESSAGE_DAYS} days; number and text until it is delivered`,
    remark: ({ MAIL_NOTICE_SECONDS }) =>
      `number and text of a code at most until it expires, of a notice ${MAIL_NOTICE_SECONDS / 3600} hours, and an hour more without a sender`,
    setBy: ["MESSAGE_DAYS"],
    erasure: "deletes",
    expires: true,
    columns: {
      id: OWN_ID,
      /** Null in a decoy, which is written and dropped. */
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
      /** These two: only of a text message. All columns from here on are null once the message no longer waits. */
      recipient_sealed: nullable(sealed("to")),
      text_sealed: nullable(leftOut(CODES_INSIDE)),
      /** Only of an e-mail: its text and address are looked up when it is sent. */
      event: nullable(plain<NoticeEvent>("event")),
      /** The request that caused it. */
      request_id: nullable(plain("requestId")),
      /** Delivery attempts so far, including the one under way. */
      tries: nullable(number(plain("attemptsToDeliver"))),
      /** When the next attempt is due; while a message is being sent, when its claim expires. */
      due_at: nullable(moment("nextAttemptAt")),
      /** When the code expires, or the notice is too old to send. */
      ends_at: nullable(moment("tooLateAt")),
    },
  },
} satisfies Readonly<Record<string, Registered>>;
