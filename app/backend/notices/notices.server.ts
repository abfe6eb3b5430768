import { NOTICE_EVENTS, type NoticeEvent, type NoticeFacts, type NoticeTexts } from "~/contract/notices";
import { counter } from "~/platform/telemetry/metrics.server";
import { SECOND } from "~/platform/time.server";
import type { AuditEventName, Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { MailQueue } from "../messages/mail-channel.server";
import { isReachable } from "../messages/sms-reach.server";
import { StatementRefused } from "../store/postgres-pool.server";
import { DatabaseUnavailable, type Tx } from "../store/store.server";
import { DECOY_ID } from "../customers/customers.server";
import { recipientIfAny } from "../customers/phones.server";
import { lockCaps, lockDecoys, noticeCap, type NoticeChannelName } from "../limits/notice-caps.server";
import { spendOwnWithDecoys, spendShared, trySpend, type WindowCap } from "../limits/windows.server";

const noticesWritten = counter(
  { name: "portal_sms_notices_total", help: "SMS notices handed over for sending, by event" },
  { event: NOTICE_EVENTS satisfies readonly AuditEventName[] },
);

/** The dependencies of notices, so that a command needn't open a whole backend. */
export type NoticeDependencies = Pick<
  Dependencies,
  "limits" | "keyring" | "clock" | "log" | "sms" | "smsPrefixes" | "noticeTexts" | "mail"
>;

/** The request that caused a notice. */
type Cause = Pick<Caller, "requestId">;

/** A change by a customer, or by someone who has their password or code. */
export type ChangeEvent = Exclude<NoticeEvent, "sign-in-locked">;

interface Change extends Omit<NoticeFacts, "at"> {
  readonly event: ChangeEvent;
  readonly customerId: string;
  /** The phone numbers that get the SMS. Default: the customer's number in use. */
  readonly phones?: readonly string[];
}

/** A sign-in lock after too many wrong passwords. */
interface Lock {
  /** Undefined if no account has the username. */
  readonly customerId: string | undefined;
  /** The key under which the wrong passwords were counted. */
  readonly subject: string;
}

/** A channel of notices. */
interface NoticeChannel {
  readonly name: NoticeChannelName;
  /** A phone number, or the id of a customer with an e-mail address; undefined if the channel can't reach them. */
  recipientOf(tx: Tx, cause: Cause, customerId: string | undefined): Promise<string | undefined>;
  /** Queues a notice, or a decoy. */
  put(tx: Tx, cause: Cause, notice: Notice): Promise<void>;
}

interface Notice extends Omit<NoticeFacts, "at"> {
  readonly event: NoticeEvent;
  readonly customerId: string | undefined;
  /** The recipient, as `recipientOf` returns it; undefined in a decoy. */
  readonly to: string | undefined;
}

/** This installation's channels of notices: SMS, e-mail, both or none. */
function channelsOf(deps: NoticeDependencies): readonly NoticeChannel[] {
  const { noticeTexts, mail } = deps;
  return [
    ...(noticeTexts ? [smsNotices(deps, noticeTexts)] : []),
    ...(mail ? [mailNotices(deps, mail)] : []),
  ];
}

/**
 * Queues the customer's SMS and e-mail about a change, in the transaction of the change: both commit, or neither (S96,
 * S149).
 */
export async function notify(
  tx: Tx,
  deps: NoticeDependencies,
  cause: Cause,
  { phones, ...change }: Change,
): Promise<void> {
  for (const channel of channelsOf(deps)) {
    const recipients =
      phones && channel.name === "sms"
        ? phones.filter((phone) => isReachable(phone, deps.smsPrefixes))
        : [await channel.recipientOf(tx, cause, change.customerId)];
    for (const to of recipients) {
      if (to === undefined) continue;
      const cap = noticeCap(deps, channel.name, "change", to);
      if (await trySpend(tx, cap, deps.clock())) await channel.put(tx, cause, { ...change, to });
    }
  }
}

/**
 * Queues the customer's SMS and e-mail about a lock. Strangers can cause a lock, even with a username that doesn't exist,
 * so response times must not reveal whether a notice is sent: without a recipient, or with a full cap, the same
 * statements and the same encryption write decoys (S108).
 */
export async function notifyOfLock(tx: Tx, deps: Dependencies, cause: Cause, lock: Lock): Promise<void> {
  const { customerId, subject } = lock;
  const now = deps.clock();
  const shared: WindowCap[] = [];
  for (const channel of channelsOf(deps)) {
    const recipient = await channel.recipientOf(tx, cause, customerId);
    const caps = lockCaps(deps, channel.name, recipient);
    const decoys = lockDecoys(channel.name, subject);
    const fullCap = await spendOwnWithDecoys(tx, caps, decoys, now);
    const to = fullCap ? undefined : recipient;
    await channel.put(tx, cause, { event: "sign-in-locked", customerId, to });
    shared.push(...(caps && !fullCap ? caps : decoys).shared);
  }
  await spendShared(tx, shared, now);
}

function smsNotices(deps: NoticeDependencies, texts: NoticeTexts): NoticeChannel {
  return {
    name: "sms",
    recipientOf: (tx, cause, customerId) => reachableNumber(tx, deps, cause, customerId),
    async put(tx, { requestId }, { event, customerId, to, ...facts }) {
      const sentAt = deps.clock();
      await deps.sms.put(tx, {
        to,
        customerId: to === undefined ? undefined : customerId,
        text: texts[event]({ ...facts, at: sentAt }),
        purpose: "notice",
        requestId,
        sentAt,
        endsAt: sentAt + deps.limits.SMS_NOTICE_SECONDS * SECOND,
      });
      if (to === undefined) return;
      tx.afterCommit(() => {
        noticesWritten.inc({ event });
      });
    },
  };
}

/**
 * A customer's phone number, if `SMS_PREFIXES` allows it. Also undefined if the number can't be decrypted, because no
 * request may fail over a notice.
 */
async function reachableNumber(
  tx: Tx,
  deps: NoticeDependencies,
  { requestId }: Cause,
  customerId: string | undefined,
): Promise<string | undefined> {
  try {
    const recipient = await recipientIfAny(tx, deps, customerId);
    return recipient && isReachable(recipient.phone, deps.smsPrefixes) ? recipient.phone : undefined;
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof StatementRefused) throw error;
    deps.log.error({ event: "sms-notice-not-written", requestId, err: error }, "sms");
    return undefined;
  }
}

function mailNotices({ clock, limits }: NoticeDependencies, mail: MailQueue): NoticeChannel {
  return {
    name: "mail",
    recipientOf: (tx, _cause, customerId) => customerWithAddress(tx, customerId),
    async put(tx, { requestId }, { event, to }) {
      const sentAt = clock();
      const endsAt = sentAt + limits.MAIL_NOTICE_SECONDS * SECOND;
      await mail.put(tx, { customerId: to, event, requestId, sentAt, endsAt });
    },
  };
}

async function customerWithAddress(tx: Tx, customerId: string | undefined): Promise<string | undefined> {
  const row = await tx
    .selectFrom("customers")
    .select("id")
    .where("id", "=", customerId ?? DECOY_ID)
    .where("email_sealed", "is not", null)
    .executeTakeFirst();
  return row?.id;
}
