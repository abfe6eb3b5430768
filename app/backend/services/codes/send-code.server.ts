import { randomInt } from "node:crypto";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { SECOND, secondsUntil } from "../../clock.server";
import { done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { isReachable } from "../../sms/reachable.server";
import type { Tx } from "../../store/store.server";
import { takeAdvisoryLock } from "../../store/advisory-lock.server";
import { blockedUntil } from "../counting/attempts.server";
import type { Recipient } from "../accounts/customers.server";
import { audit } from "../audit.server";
import { requestCaps, sendingCaps, unknownRecipientCaps } from "./code-caps.server";
import { codeSubject } from "./code-owner.server";
import { countAsSent, hasFreshCode, ownerColumns, putCode } from "./code-rows.server";
import { takeFromWindows } from "../counting/windows.server";

/** A request for a one-time code. */
interface CodeRequest {
  readonly subject: string;
  readonly purpose: Purpose;
  /** Absent if the details match no customer: then everything happens except sending. */
  readonly recipient: Recipient | undefined;
  /** Set only by the resend link. */
  readonly resend: boolean;
  readonly accountId?: string | undefined;
  /**
   * For an unknown visitor: a keyed hash of the details they claim, so that details with and without a customer meet the
   * same caps in the same way (S7). Absent after a right password and with a session.
   */
  readonly typed?: string | undefined;
}

const DIGITS = 6;

/**
 * Sends a code, unless this browser has a fresh one from a doubled submit or a recent click on the resend link. Codes in
 * other browsers are not affected.
 */
export async function sendCode(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  request: CodeRequest,
): Promise<Outcome<undefined>> {
  const now = parts.clock();
  const owner = { subject: request.subject, purpose: request.purpose, browser: caller.browser };
  const freshFor = request.resend
    ? parts.limits.RESEND_THROTTLE_MS
    : parts.limits.CODE_REPEAT_SECONDS * SECOND;
  // There may be no row to lock yet. Without this lock, a doubled request would count towards the caps twice.
  await takeAdvisoryLock(tx, `send-code|${JSON.stringify(Object.values(ownerColumns(owner)))}`);
  if (await hasFreshCode(tx, owner, { now, freshFor })) return done(undefined);
  const stoppedUntil = await blockedUntil(tx, codeSubject(owner));
  if (stoppedUntil > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(stoppedUntil, now) };

  const askedTooMuch = await takeFromWindows(tx, requestCaps(parts, caller, request.typed), now);
  if (askedTooMuch) return askedTooMuch;

  const { recipient } = request;
  if (!recipient) {
    await takeFromWindows(tx, unknownRecipientCaps(parts, request.subject), now);
    await putCode(tx, parts, owner, { code: undefined, now, freshFor });
    return done(undefined);
  }
  const sentTooMuch = await takeFromWindows(
    tx,
    sendingCaps(parts, recipient, request.typed === undefined),
    now,
  );
  if (sentTooMuch) return withholdCode(tx, parts, caller, request, sentTooMuch);

  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
  const isNew = await putCode(tx, parts, owner, { code, now, freshFor });
  if (isNew) await deliver(tx, parts, caller, request, recipient.phone, code);
  return done(undefined);
}

async function deliver(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  { purpose, accountId, subject }: CodeRequest,
  phone: string,
  code: string,
): Promise<void> {
  const sentAt = parts.clock();
  const canReach = isReachable(phone, parts.smsPrefixes);
  if (canReach)
    await parts.sms.put(tx, {
      to: phone,
      text: parts.smsTexts[purpose]({ code, host: parts.host }),
      purpose,
      requestId: caller.requestId,
      sentAt,
      endsAt: sentAt + parts.limits.CODE_LIFETIME_SECONDS * SECOND,
    });
  await audit(tx, caller, sentAt, {
    event: canReach ? "code-sent" : "code-not-sent",
    ...whose(accountId, subject),
    purpose,
  });
}

/**
 * The phone number has reached its cap. A known visitor is told how long to wait. An unknown visitor is told nothing, since
 * details that match no customer have no phone number to reach a cap. A code they already have stays valid.
 */
async function withholdCode(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  { subject, purpose, accountId, typed }: CodeRequest,
  refusal: Refusal,
): Promise<Outcome<undefined>> {
  const now = parts.clock();
  await audit(tx, caller, now, { event: "code-not-sent", ...whose(accountId, subject), purpose });
  if (typed === undefined) return refusal;
  const owner = { subject, purpose, browser: caller.browser };
  const validFor = parts.limits.CODE_LIFETIME_SECONDS * SECOND;
  await putCode(tx, parts, owner, { code: undefined, now, freshFor: validFor });
  // Counts as sent, so that the next request meets the same caps as one with unknown details.
  await countAsSent(tx, owner, now);
  return done(undefined);
}

/** For the audit: the account if there is one, otherwise the subject. */
function whose(accountId: string | undefined, subject: string) {
  return accountId === undefined ? { subject } : { accountId };
}
