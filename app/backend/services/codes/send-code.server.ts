import { randomInt } from "node:crypto";
import type { CallResponse } from "~/contract/calls.server";
import type { Purpose } from "~/contract/purposes";
import { CODE_DIGITS } from "~/contract/rules";
import type { Caller } from "../../caller.server";
import { SECOND, secondsUntil } from "../../clock.server";
import { type Outcome, done } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { tokenHash } from "../../secrets/keyring.server";
import { isReachable } from "../../sms/reachable.server";
import type { Tx } from "../../store/store.server";
import { takeAdvisoryLock } from "../../store/advisory-lock.server";
import { blockedUntil } from "../counting/attempts.server";
import { type Recipient, maskedNumber, recipientOf } from "../accounts/customers.server";
import { audit } from "../audit/write-event.server";
import type { Session } from "../sign-in/sessions.server";
import { type Purse, purseOf, requestCaps, sendingCaps, standInCaps } from "./code-caps.server";
import {
  type Freshness,
  codeSubject,
  freshness,
  hasFreshCode,
  ownerColumns,
  putCode,
} from "./code-rows.server";
import { type WindowCaps, fitInOwn, takeOwn, takeShared } from "../counting/windows.server";

/** A request for a one-time code. */
interface CodeRequest {
  readonly subject: string;
  readonly purpose: Purpose;
  readonly purse: Purse;
  /** Undefined if the details match no customer: then everything happens except sending. */
  readonly recipient: Recipient | undefined;
  /** Set only by the resend link. */
  readonly resend: boolean;
  readonly accountId?: string | undefined;
}

/** How to handle a request that is within the limits. */
interface Sending {
  readonly fresh: Freshness;
  /** The number to send to; undefined if nobody gets the message. */
  readonly phone: string | undefined;
  /** Whether the browser's last code stays valid because no new one is sent. */
  readonly keepsValid: boolean;
}

/** The answer to a customer with a session: where the code went, unless their number gets none (F13). */
export type CodeSent = CallResponse<"activateSessionInit">;

/** Sends a code to the customer of a session, pending or active, under the rules of `sendCode`. */
export async function sendOwnCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  { purpose, resend = false }: { readonly purpose: Purpose; readonly resend?: boolean | undefined },
): Promise<Outcome<CodeSent>> {
  const { accountId, customerId } = session;
  const recipient = await recipientOf(tx, deps.keyring, customerId);
  const sent = await sendCode(tx, deps, caller, {
    subject: accountId,
    accountId,
    purpose,
    purse: purseOf(session),
    recipient,
    resend,
  });
  if (sent.kind !== "done") return sent;
  const { phone } = recipient;
  return done(isReachable(phone, deps.smsPrefixes) ? { sentTo: maskedNumber(phone) } : {});
}

/**
 * Sends a code, unless this browser has a fresh one from a doubled submit or a recent click on the resend link. Codes
 * in other browsers are not affected.
 */
export async function sendCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
): Promise<Outcome<undefined>> {
  const now = deps.clock();
  const { purse, recipient } = request;
  const owner = ownerOf(caller, request);
  const fresh = freshness(deps, now, request.resend);
  // There may be no row to lock yet. Without this lock, a doubled request would count towards the caps twice.
  await takeAdvisoryLock(tx, `send-code|${JSON.stringify(Object.values(ownerColumns(owner)))}`);
  if (await hasFreshCode(tx, owner, fresh)) return done(undefined);
  const stoppedUntil = await blockedUntil(
    tx,
    codeSubject(owner, purse.kind === "browser" ? tokenHash(caller.browser) : undefined),
  );
  if (stoppedUntil > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(stoppedUntil, now) };
  const asking = requestCaps(deps, caller, purse);
  const askedTooMuch = await takeOwn(tx, asking, now);
  if (askedTooMuch) return askedTooMuch;
  const sent =
    recipient && purse.kind !== "open"
      ? await sendOrSayWhy(tx, deps, caller, request, { recipient, fresh })
      : await sendInSilence(tx, deps, caller, request, fresh);
  await takeShared(tx, [...asking.shared, ...sent.shared], now);
  return sent.outcome;
}

/** The answer, and the shared windows that the message counts towards. */
interface Sent {
  readonly outcome: Outcome<undefined>;
  readonly shared: WindowCaps["shared"];
}

/** Sends to someone known. If a cap is reached, tells them how long to wait. */
async function sendOrSayWhy(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  { recipient, fresh }: { readonly recipient: Recipient; readonly fresh: Freshness },
): Promise<Sent> {
  const caps = sendingCaps(deps, caller, request.purse, recipient);
  const tooMuch = await takeOwn(tx, caps, fresh.now);
  if (tooMuch) {
    await audit(tx, caller, fresh.now, { event: "code-not-sent", ...whose(request) });
    return { outcome: tooMuch, shared: [] };
  }
  await write(tx, deps, caller, request, { fresh, phone: recipient.phone, keepsValid: false });
  return { outcome: done(undefined), shared: caps.shared };
}

/**
 * Sends to a signed-out visitor. The answer doesn't tell whether a number has reached its cap, the budget is used up,
 * or there is a number at all: each case takes the same statements and the same encryption (S106, S108).
 */
async function sendInSilence(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  fresh: Freshness,
): Promise<Sent> {
  const { subject, purse, recipient } = request;
  const caps = recipient && sendingCaps(deps, caller, purse, recipient);
  const standIns = standInCaps(subject);
  const fits = await fitInOwn(tx, caps, standIns, fresh.now);
  const phone = fits ? recipient?.phone : undefined;
  await write(tx, deps, caller, request, { fresh, phone, keepsValid: !fits });
  return { outcome: done(undefined), shared: fits && caps ? caps.shared : standIns.shared };
}

async function write(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  { fresh, phone, keepsValid }: Sending,
): Promise<void> {
  const { purpose } = request;
  const to = phone !== undefined && isReachable(phone, deps.smsPrefixes) ? phone : undefined;
  const digits = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  const code = to === undefined ? undefined : digits;
  const isNew = await putCode(tx, deps, ownerOf(caller, request), fresh, { code, keepsValid });
  if (!isNew) return;
  await deps.sms.put(tx, {
    to,
    text: deps.smsTexts[purpose]({ code: digits, host: deps.host }),
    purpose,
    requestId: caller.requestId,
    sentAt: fresh.now,
    endsAt: fresh.now + deps.limits.CODE_LIFETIME_SECONDS * SECOND,
  });
  const notSent = request.recipient ? "code-not-sent" : "code-for-nobody";
  await audit(tx, caller, fresh.now, {
    event: to === undefined ? notSent : "code-sent",
    ...whose(request),
  });
}

function ownerOf({ browser }: Caller, { subject, purpose }: CodeRequest) {
  return { subject, purpose, browser };
}

/** For the audit: the account if there is one, otherwise the subject. */
function whose({ accountId, subject, purpose }: CodeRequest) {
  return accountId === undefined ? { subject, purpose } : { accountId, purpose };
}
