import { randomInt } from "node:crypto";
import { SECOND, secondsUntil } from "~/platform/time.server";
import type { CallResponse } from "~/contract/calls.server";
import type { Purpose } from "~/contract/purposes";
import { CODE_DIGITS } from "~/contract/rules";
import { done, type Outcome } from "~/contract/refusal.server";
import { audit, type AuditEvent, type Caller, type PlainEventName } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import { maskedNumber, type Recipient, recipientOf } from "../customers/phones.server";
import { blockedUntil } from "../limits/attempts.server";
import {
  codeDecoys,
  type CountedAs,
  countedInSession,
  requestCaps,
  sendingCaps,
} from "../limits/code-caps.server";
import {
  spendOwn,
  spendOwnWithDecoys,
  spendShared,
  type WindowCap,
  type WindowCaps,
} from "../limits/windows.server";
import type { Session } from "../sign-in/sessions.server";
import { isReachable } from "../messages/sms-reach.server";
import { takeAdvisoryLock, type Tx } from "../store/store.server";
import {
  codeSubject,
  type Freshness,
  freshness,
  hasFreshCode,
  ownerColumns,
  putCode,
} from "./code-rows.server";

/** A request for a one-time code. */
interface CodeRequest {
  readonly subject: string;
  readonly purpose: Purpose;
  readonly countedAs: CountedAs;
  /** Undefined if the details match no customer: then everything happens except sending. */
  readonly recipient: Recipient | undefined;
  /** True only from the resend link. */
  readonly resend: boolean;
  readonly accountId?: string | undefined;
}

/** How to handle a request that is within the limits. */
interface Sending {
  readonly fresh: Freshness;
  /** The number to send to; undefined if the message is a decoy. */
  readonly phone: string | undefined;
  /** The cap that holds the code back, if there is one. The browser's last code then stays valid. */
  readonly full: WindowCap | undefined;
}

/** The answer to a customer with a session: where the code went, unless their number gets none (F13). */
export type CodeSent = CallResponse<"loginChangeInit">;

/** Sends a code to the customer of a session, pending or active, under the rules of `sendCode`. */
export async function sendOwnCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  { purpose, resend = false }: { readonly purpose: Purpose; readonly resend?: boolean | undefined },
): Promise<Outcome<CodeSent>> {
  const { accountId, customerId } = session;
  const recipient = await recipientOf(tx, deps, customerId);
  const sent = await sendCode(tx, deps, caller, {
    subject: accountId,
    accountId,
    purpose,
    countedAs: countedInSession(session),
    recipient,
    resend,
  });
  if (sent.kind !== "done") return sent;
  const { phone } = recipient;
  return done(isReachable(phone, deps.smsPrefixes) ? { sentTo: maskedNumber(phone) } : {});
}

/**
 * Sends a code, unless this browser has a fresh one from a double submit or a recent click on the resend link. Codes
 * in other browsers are not affected.
 */
export async function sendCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
): Promise<Outcome<undefined>> {
  const now = deps.clock();
  const { countedAs, recipient } = request;
  const owner = ownerOf(caller, request);
  const fresh = freshness(deps, now, request.resend);
  // There may be no row to lock yet. Without this lock, a double submit would count towards the caps twice.
  await takeAdvisoryLock(tx, `send-code|${JSON.stringify(Object.values(ownerColumns(owner)))}`);
  if (await hasFreshCode(tx, owner, fresh)) return done(undefined);
  const stoppedUntil = await blockedUntil(
    tx,
    codeSubject(owner, countedAs.kind === "browser" ? tokenHash(caller.browser) : undefined),
  );
  if (stoppedUntil > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(stoppedUntil, now) };
  const requests = requestCaps(deps, caller, countedAs);
  const tooMany = await spendOwn(tx, requests, now);
  if (tooMany) return tooMany.refusal;
  const sent =
    recipient && countedAs.kind !== "open"
      ? await sendOrRefuse(tx, deps, caller, request, { recipient, fresh })
      : await sendWithoutRevealing(tx, deps, caller, request, fresh);
  await spendShared(tx, [...requests.shared, ...sent.shared], now);
  return sent.outcome;
}

/** The answer, and the shared windows that the message counts towards. */
interface Sent {
  readonly outcome: Outcome<undefined>;
  readonly shared: WindowCaps["shared"];
}

/** Sends a code that isn't counted as open. If a cap is reached, the refusal has the retry time. */
async function sendOrRefuse(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  { recipient, fresh }: { readonly recipient: Recipient; readonly fresh: Freshness },
): Promise<Sent> {
  const caps = sendingCaps(deps, caller, request.countedAs, recipient);
  const tooMany = await spendOwn(tx, caps, fresh.now);
  if (tooMany) {
    const reason = capReached(tooMany.full);
    await audit(tx, caller, fresh.now, { event: "code-not-sent", ...subjectOf(request), reason });
    return { outcome: tooMany.refusal, shared: [] };
  }
  await write(tx, deps, caller, request, { fresh, phone: recipient.phone, full: undefined });
  return { outcome: done(undefined), shared: caps.shared };
}

/**
 * Sends a code counted as open, or a decoy. The answer doesn't tell whether a number has reached its cap, the budget is
 * used up, or there is a number at all: each case takes the same statements and the same encryption (S106, S108).
 */
async function sendWithoutRevealing(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  fresh: Freshness,
): Promise<Sent> {
  const { subject, countedAs, recipient } = request;
  const caps = recipient && sendingCaps(deps, caller, countedAs, recipient);
  const decoys = codeDecoys(subject);
  const full = await spendOwnWithDecoys(tx, caps, decoys, fresh.now);
  const phone = full ? undefined : recipient?.phone;
  await write(tx, deps, caller, request, { fresh, phone, full });
  return { outcome: done(undefined), shared: caps && !full ? caps.shared : decoys.shared };
}

async function write(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  { fresh, phone, full }: Sending,
): Promise<void> {
  const { purpose } = request;
  const to = phone !== undefined && isReachable(phone, deps.smsPrefixes) ? phone : undefined;
  const digits = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  const code = to === undefined ? undefined : digits;
  const isNew = await putCode(tx, deps, ownerOf(caller, request), fresh, {
    code,
    keepsValid: full !== undefined,
  });
  if (!isNew) return;
  await deps.sms.put(tx, {
    to,
    customerId: to === undefined ? undefined : request.recipient?.customerId,
    text: deps.smsTexts[purpose]({ code: digits, host: deps.codeHost }),
    purpose,
    requestId: caller.requestId,
    sentAt: fresh.now,
    endsAt: fresh.now + deps.limits.CODE_LIFETIME_SECONDS * SECOND,
  });
  await audit(tx, caller, fresh.now, { ...outcomeOf(request, { to, full }), ...subjectOf(request) });
}

/** The code's outcome for the audit: `reason` says why a customer's code was not sent. */
function outcomeOf(
  { recipient }: CodeRequest,
  { to, full }: { readonly to: string | undefined; readonly full: WindowCap | undefined },
): Pick<AuditEvent<PlainEventName>, "event" | "reason"> {
  if (to !== undefined) return { event: "code-sent" };
  if (!recipient) return { event: "code-for-nobody" };
  return { event: "code-not-sent", reason: full ? capReached(full) : "the number gets no SMS" };
}

/** Names a cap as `portal_sms_caps_reached_total` does. */
function capReached({ metric }: WindowCap): string {
  return `cap reached: ${metric ?? "unnamed"}`;
}

function ownerOf({ browser }: Caller, { subject, purpose }: CodeRequest) {
  return { subject, purpose, browser };
}

/** For the audit: the account if there is one, otherwise the subject. */
function subjectOf({ accountId, subject, purpose }: CodeRequest) {
  return accountId === undefined ? { subject, purpose } : { accountId, purpose };
}
