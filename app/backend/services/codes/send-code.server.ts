import { randomInt } from "node:crypto";
import type { Purpose } from "~/contract/purposes";
import type { Caller } from "../../caller.server";
import { SECOND, secondsUntil } from "../../clock.server";
import { done, type Outcome, type Refused } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { isReachable } from "../../sms/reachable.server";
import type { Tx } from "../../store/store.server";
import { takeTurn } from "../../store/turns.server";
import { blockedUntil } from "../counting/attempts.server";
import type { Recipient } from "../accounts/customers.server";
import { audit } from "../audit.server";
import { capsOfAsking, capsOfSending, capsOfSendingNothing } from "./code-caps.server";
import { codeSubject } from "./code-owner.server";
import { countAsSent, hasFreshCode, ownerColumns, putCode } from "./code-rows.server";
import { takeFromWindows } from "../counting/windows.server";

/** A request for a one-time code. */
export interface CodeRequest {
  readonly subject: string;
  readonly purpose: Purpose;
  /** To whom it goes; absent for data that belongs to nobody: then everything happens but the sending. */
  readonly recipient: Recipient | undefined;
  /** Set by the resend link alone. */
  readonly resend: boolean;
  readonly accountId?: string | undefined;
  /**
   * For a visitor of whom nothing is known: a keyed hash of what was typed. What belongs to somebody and what belongs
   * to nobody then meet the same caps in the same way (S7). Absent behind a right password or a session.
   */
  readonly typed?: string | undefined;
}

const DIGITS = 6;

/**
 * Sends a code, unless this browser has a fresh one: from a doubled submit, or from a click on the resend link a
 * moment ago. The codes of other browsers are left alone.
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
  // Before there is a row that could be locked: of a doubled request only the first counts for the caps.
  await takeTurn(tx, `send-code|${JSON.stringify(Object.values(ownerColumns(owner)))}`);
  if (await hasFreshCode(tx, owner, { now, freshFor })) return done(undefined);
  const stoppedUntil = await blockedUntil(tx, codeSubject(owner));
  if (stoppedUntil > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(stoppedUntil, now) };

  const askedTooMuch = await takeFromWindows(tx, capsOfAsking(parts, caller, request.typed), now);
  if (askedTooMuch) return askedTooMuch;

  const { recipient } = request;
  if (!recipient) {
    await takeFromWindows(tx, capsOfSendingNothing(parts, request.subject), now);
    await putCode(tx, parts, owner, { code: undefined, now, freshFor });
    return done(undefined);
  }
  const sentTooMuch = await takeFromWindows(
    tx,
    capsOfSending(parts, recipient, request.typed === undefined),
    now,
  );
  if (sentTooMuch) return holdBack(tx, parts, caller, request, sentTooMuch);

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
 * The number has had its messages. Who is known is told how long to wait; a visitor of whom nothing is known learns
 * nothing, since data of nobody has no number that could be full. The code that he may have stays good.
 */
async function holdBack(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  { subject, purpose, accountId, typed }: CodeRequest,
  refusal: Refused,
): Promise<Outcome<undefined>> {
  const now = parts.clock();
  await audit(tx, caller, now, { event: "code-not-sent", ...whose(accountId, subject), purpose });
  if (typed === undefined) return refusal;
  const owner = { subject, purpose, browser: caller.browser };
  const validFor = parts.limits.CODE_LIFETIME_SECONDS * SECOND;
  await putCode(tx, parts, owner, { code: undefined, now, freshFor: validFor });
  // As if it had been sent: then the next request meets the same caps as one of nobody.
  await countAsSent(tx, owner, now);
  return done(undefined);
}

/** For the audit: the account, or else what stands in its place. */
function whose(accountId: string | undefined, subject: string) {
  return accountId === undefined ? { subject } : { accountId };
}
