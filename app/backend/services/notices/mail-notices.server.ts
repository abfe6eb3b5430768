import { DAY, HOUR, SECOND } from "~/platform/time.server";
import type { Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import type { Reader, Tx } from "../../store/store.server";
import { DECOY_ID } from "../accounts/customers.server";
import {
  counted,
  fitsInWindow,
  hourlyBudget,
  takeOwnInSilence,
  UNLIMITED,
  type WindowCap,
  type WindowCaps,
} from "../counting.server";
import type { NoticeEvent } from "./notice-events.server";

// E-mail notices have caps of their own, like SMS notices (S149). They count by customer, so that no request opens an
// address.

/** How many e-mails about changes a customer gets in a day. */
export function mailChangeCap({ limits }: Pick<Dependencies, "limits">, customerId: string): WindowCap {
  return counted("mail-customer", {
    bucket: `notices|mail|change|${customerId}`,
    most: limits.MAIL_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

/** How many e-mails about locks a customer gets in a day. */
export function mailLockCap({ limits }: Pick<Dependencies, "limits">, customerId: string): WindowCap {
  return counted("mail-lock-customer", {
    bucket: `notices|mail|lock|${customerId}`,
    most: limits.MAIL_LOCK_NOTICES_PER_DAY,
    lengthMs: DAY,
  });
}

function mailLockCaps(deps: MailLockDependencies, customerId: string): WindowCaps {
  const bucket = "notices|mail|all|lock";
  const most = deps.limits.MAIL_LOCK_NOTICES_TOTAL_PER_HOUR;
  return {
    own: [mailLockCap(deps, customerId)],
    shared: [hourlyBudget(deps, "mail-lock", { bucket, most })],
  };
}

/** As for SMS notices: they limit nothing and cost the same work (S108). */
function mailLockStandIns(subject: string): WindowCaps {
  return {
    own: [{ bucket: `notices|nothing|mail|${subject}`, most: UNLIMITED, lengthMs: DAY }],
    shared: [{ bucket: "notices|nothing|mail", most: UNLIMITED, lengthMs: HOUR }],
  };
}

/** The dependencies of e-mail notices. */
export type MailDependencies = Pick<Dependencies, "limits" | "clock" | "mail">;
type MailLockDependencies = Pick<Dependencies, "limits" | "clock" | "mail" | "log">;

interface Change {
  readonly event: NoticeEvent;
  readonly customerId: string;
}

/** Tells the customer by e-mail about a change, in the same transaction, if the insurer knows an address. */
export async function mailChange(
  tx: Tx,
  deps: MailDependencies,
  caller: Pick<Caller, "requestId">,
  { event, customerId }: Change,
): Promise<void> {
  if (!deps.mail || !(await hasAddress(tx, customerId))) return;
  if (!(await fitsInWindow(tx, mailChangeCap(deps, customerId), deps.clock()))) return;
  await put(tx, deps, caller, { event, customerId });
}

/**
 * Tells the customer by e-mail about a lock; without an address or beyond a cap, and for unknown usernames, the same
 * statements write a decoy (S108). Returns the shared windows, to be taken from last.
 */
export async function mailLock(
  tx: Tx,
  deps: MailLockDependencies,
  caller: Pick<Caller, "requestId">,
  { customerId, subject }: { readonly customerId: string | undefined; readonly subject: string },
): Promise<readonly WindowCap[]> {
  if (!deps.mail) return [];
  const isKnown = await hasAddress(tx, customerId ?? DECOY_ID);
  const caps = isKnown && customerId !== undefined ? mailLockCaps(deps, customerId) : undefined;
  const standIns = mailLockStandIns(subject);
  const full = await takeOwnInSilence(tx, caps, standIns, deps.clock());
  const isTold = caps !== undefined && !full;
  await put(tx, deps, caller, { event: "sign-in-locked", customerId: isTold ? customerId : undefined });
  return isTold ? caps.shared : standIns.shared;
}

async function hasAddress(reader: Reader, customerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom("customers")
    .select("id")
    .where("id", "=", customerId)
    .where("email_sealed", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

async function put(
  tx: Tx,
  { mail, clock, limits }: MailDependencies,
  { requestId }: Pick<Caller, "requestId">,
  notice: { readonly event: NoticeEvent; readonly customerId: string | undefined },
): Promise<void> {
  const sentAt = clock();
  const endsAt = sentAt + limits.MAIL_NOTICE_SECONDS * SECOND;
  await mail?.put(tx, { ...notice, requestId, sentAt, endsAt });
}
