import { counter } from "~/platform/telemetry/metrics.server";
import { DAY, HOUR, SECOND } from "~/platform/time.server";
import type { AuditEventName, Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { steadyIndex } from "../../secrets/keyring.server";
import { isReachable } from "../../sms/sms-queue.server";
import { DatabaseUnavailable, type Tx } from "../../store/store.server";
import { StatementRefused } from "../../store/postgres-pool.server";
import { recipientIfAny } from "../accounts/phones.server";
import {
  counted,
  fitsInWindow,
  hourlyBudget,
  takeOwnInSilence,
  takeShared,
  UNLIMITED,
  type WindowCap,
  type WindowCaps,
} from "../counting.server";
import { mailChange, mailLock } from "./mail-notices.server";
import { NOTICE_EVENTS, type NoticeEvent, type NoticeFacts, type NoticeTexts } from "./notice-events.server";

// Notices have two sets of caps of their own: no notice ever costs a customer a code, and notices of locks, which strangers
// can cause, cost no other notice (S96).

type CapDependencies = Pick<Dependencies, "limits" | "keyring">;

/** How many notices of changes a number gets in a day. */
export function changeCap({ limits, keyring }: CapDependencies, phone: string): WindowCap {
  return counted("notice-number", {
    bucket: `notices|change|${steadyIndex(keyring, "phone", phone)}`,
    most: limits.SMS_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

/** How many notices of locks a number gets in a day. */
export function lockCap({ limits, keyring }: CapDependencies, phone: string): WindowCap {
  return counted("lock-number", {
    bucket: `notices|lock|${steadyIndex(keyring, "phone", phone)}`,
    most: limits.SMS_LOCK_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

/**
 * How many notices of locks a number gets in a day, and all numbers together in an hour; undefined without a number.
 */
export function lockCaps(deps: Dependencies, phone: string | undefined): WindowCaps | undefined {
  // Without a number too, so that it takes as long (S108).
  const perNumber = lockCap(deps, phone ?? "");
  if (phone === undefined) return undefined;
  const bucket = "notices|all|lock";
  return {
    own: [perNumber],
    shared: [hourlyBudget(deps, "lock", { bucket, most: deps.limits.SMS_LOCK_NOTICES_TOTAL_PER_HOUR })],
  };
}

/** Stand-ins for `lockCaps`, for decoys: they limit nothing and cost the same work (S108). */
export function lockStandIns(subject: string): WindowCaps {
  return {
    own: [{ bucket: `notices|nothing|${subject}`, most: UNLIMITED, lengthMs: DAY }],
    shared: [{ bucket: "notices|nothing", most: UNLIMITED, lengthMs: HOUR }],
  };
}

const noticesWritten = counter(
  { name: "portal_sms_notices_total", help: "SMS notices handed over for sending, by event" },
  { event: NOTICE_EVENTS satisfies readonly AuditEventName[] },
);

/** The dependencies of notices, so that a command needn't open a whole backend. */
export type NoticeDependencies = Pick<
  Dependencies,
  "limits" | "keyring" | "clock" | "log" | "sms" | "smsPrefixes" | "noticeTexts" | "mail"
>;

/** A change by a customer, or by someone who has their password or code. */
export type ChangeEvent = Exclude<NoticeEvent, "sign-in-locked">;

interface Change extends Omit<NoticeFacts, "at"> {
  readonly event: ChangeEvent;
  readonly customerId: string;
  /** The numbers to tell, if not only the one in use. */
  readonly phones?: readonly string[];
}

/** A lock by wrong passwords. */
interface Lock {
  /** Undefined if no account has the username. */
  readonly customerId: string | undefined;
  /** The key of the count of wrong passwords. */
  readonly subject: string;
}

/**
 * Tells the customer by SMS and by e-mail about a change, in the same transaction: all are committed or none (S96,
 * S149).
 */
export async function notify(
  tx: Tx,
  deps: NoticeDependencies,
  caller: Pick<Caller, "requestId">,
  change: Change,
): Promise<void> {
  await notifyBySms(tx, deps, caller, change);
  await mailChange(tx, deps, caller, change);
}

async function notifyBySms(
  tx: Tx,
  deps: NoticeDependencies,
  caller: Pick<Caller, "requestId">,
  change: Change,
): Promise<void> {
  const { noticeTexts } = deps;
  if (!noticeTexts) return;
  const { phones, ...told } = change;
  const numbers = phones?.filter((phone) => isReachable(phone, deps.smsPrefixes)) ?? [
    await reachableNumber(tx, deps, caller, change.customerId),
  ];
  for (const to of numbers)
    if (to !== undefined && (await fitsInWindow(tx, changeCap(deps, to), deps.clock())))
      await put(tx, deps, caller, { ...told, text: noticeTexts[change.event], to });
}

/**
 * Tells the customer by SMS and by e-mail about a lock. Strangers can cause one, even for unknown usernames. Then, or if
 * a cap is reached, the same statements and the same encryption write decoys (S108).
 */
export async function notifyOfLock(tx: Tx, deps: Dependencies, caller: Caller, lock: Lock): Promise<void> {
  const bySms = await notifyOfLockBySms(tx, deps, caller, lock);
  const byMail = await mailLock(tx, deps, caller, lock);
  await takeShared(tx, [...bySms, ...byMail], deps.clock());
}

/** Returns the shared windows, to be taken from last. */
async function notifyOfLockBySms(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { customerId, subject }: Lock,
): Promise<readonly WindowCap[]> {
  const { noticeTexts } = deps;
  if (!noticeTexts) return [];
  const now = deps.clock();
  const phone = await reachableNumber(tx, deps, caller, customerId);
  const caps = lockCaps(deps, phone);
  const standIns = lockStandIns(subject);
  const full = await takeOwnInSilence(tx, caps, standIns, now);
  const to = full ? undefined : phone;
  const event = "sign-in-locked";
  await put(tx, deps, caller, { text: noticeTexts[event], event, to, customerId });
  return caps && !full ? caps.shared : standIns.shared;
}

/**
 * A customer's number, if it may get messages; undefined too if it can't be decrypted, because no request may fail over
 * a notice.
 */
async function reachableNumber(
  tx: Tx,
  deps: NoticeDependencies,
  { requestId }: Pick<Caller, "requestId">,
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

interface Notice extends Omit<NoticeFacts, "at"> {
  readonly text: NoticeTexts[NoticeEvent];
  readonly event: NoticeEvent;
  /** Undefined in a decoy. */
  readonly to: string | undefined;
  readonly customerId: string | undefined;
}

async function put(
  tx: Tx,
  deps: NoticeDependencies,
  caller: Pick<Caller, "requestId">,
  { text, event, to, customerId, ...facts }: Notice,
): Promise<void> {
  const now = deps.clock();
  await deps.sms.put(tx, {
    to,
    customerId: to === undefined ? undefined : customerId,
    text: text({ ...facts, at: now }),
    purpose: "notice",
    requestId: caller.requestId,
    sentAt: now,
    endsAt: now + deps.limits.SMS_NOTICE_SECONDS * SECOND,
  });
  if (to === undefined) return;
  tx.afterCommit(() => {
    noticesWritten.inc({ event });
  });
}
