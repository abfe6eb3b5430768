import { randomInt } from "node:crypto";
import type { Limits } from "~/platform/config/limits";
import { addressBucket } from "~/platform/network/client-address";
import { DAY, HOUR, MINUTE, SECOND, secondsUntil } from "~/platform/time.server";
import type { CallResponse } from "~/contract/calls.server";
import type { Purpose } from "~/contract/purposes";
import { CODE_DIGITS } from "~/contract/rules";
import { done, type Outcome } from "~/contract/refusal.server";
import { audit, type AuditEvent, type Caller, type PlainEventName } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex, tokenHash } from "../secrets/keyring.server";
import { maskedNumber, type Recipient, recipientOf } from "../customers/phones.server";
import {
  blockedUntil,
  type CapName,
  counted,
  hourlyBudget,
  takeOwn,
  takeOwnInSilence,
  takeShared,
  UNLIMITED,
  type WindowCap,
  type WindowCaps,
} from "../limits/counting.server";
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

/**
 * The caps that a message uses up; it never uses up others (S106, S107).
 * - `open`: a signed-out visitor, with a keyed hash of the details they claim, whether or not these match a customer
 *   (S7)
 * - `known`: after a right password, or in a session
 * - `browser`: a known browser, signed in or not
 */
export type CountedAs =
  | { readonly kind: "open"; readonly typed: string }
  | { readonly kind: "known" }
  | { readonly kind: "browser" };

/** How a message in a session is counted. */
export function countedInSession({
  isKnownBrowser,
}: Pick<Session, "isKnownBrowser">): Exclude<CountedAs, { kind: "open" }> {
  return { kind: isKnownBrowser ? "browser" : "known" };
}

/** How a message that a signed-out visitor asks for is counted, with the details they claim. */
export function countedAsVisitor(
  { isKnownBrowser }: Pick<Session, "isKnownBrowser">,
  typed: string,
): CountedAs {
  return isKnownBrowser ? { kind: "browser" } : { kind: "open", typed };
}

/**
 * Caps on requests: per address (shared), and for unknown visitors per claimed details, whether or not these match a
 * customer (S7, S28). Known browsers aren't counted by address, because others may share it (S107).
 */
export function requestCaps({ limits }: Dependencies, caller: Caller, countedAs: CountedAs): WindowCaps {
  if (countedAs.kind === "browser") return { own: [], shared: [] };
  const perAddress = counted("address", {
    bucket: `codes|address|${addressBucket(caller.address)}`,
    most: limits.ADDRESS_CODES_PER_10_MINUTES,
    lengthMs: 10 * MINUTE,
  });
  return { own: countedAs.kind === "open" ? typedCaps(limits, countedAs.typed) : [], shared: [perAddress] };
}

/** Caps on requests of signed-out visitors who claim these details, given as a keyed hash. */
export function typedCaps(limits: Limits, typed: string): WindowCap[] {
  const { SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY } = limits;
  return perTenMinutesAndDay("policy", `codes|typed|${typed}`, SMS_OPEN_PER_10_MINUTES, SMS_OPEN_PER_DAY);
}

/**
 * Caps on sending: per phone number or known browser, per policyholder, and (shared) the budget for all (S27, S28,
 * S106). They count only messages that are really sent. Number and policyholder count separately: policyholders can
 * share a number, and can change it.
 */
export function sendingCaps(
  deps: Dependencies,
  { browser }: Caller,
  countedAs: CountedAs,
  to: Recipient,
): WindowCaps {
  const shared = [budget(deps, countedAs.kind === "open" ? "open" : "known")];
  const own =
    countedAs.kind === "browser"
      ? browserCaps(deps.limits, to.customerId, tokenHash(browser))
      : numberCaps(deps, countedAs.kind, to);
  return { own, shared };
}

/** The caps on sending to a policyholder's number and for their policies: the open ones or the known ones. */
export function numberCaps(
  { limits, keyring }: Pick<Dependencies, "limits" | "keyring">,
  countedAs: "open" | "known",
  { customerId, phone }: Recipient,
): WindowCap[] {
  const number = `codes|phone|${countedAs}|${steadyIndex(keyring, "phone", phone)}`;
  const policies = `codes|policies|${countedAs}|${customerId}`;
  switch (countedAs) {
    case "open":
      return [
        ...perTenMinutesAndDay("number", number, limits.SMS_OPEN_PER_10_MINUTES, limits.SMS_OPEN_PER_DAY),
        perDay("policy", policies, limits.SMS_POLICIES_OPEN_PER_DAY),
      ];
    case "known":
      return [
        ...perTenMinutesAndDay("number", number, limits.SMS_KNOWN_PER_10_MINUTES, limits.SMS_KNOWN_PER_DAY),
        perDay("policy", policies, limits.SMS_POLICIES_KNOWN_PER_DAY),
      ];
  }
}

/** The caps on sending to a policyholder in one of their known browsers, given as the hash of its token. */
export function browserCaps(limits: Limits, customerId: string, browserHash: string): WindowCap[] {
  const bucket = `codes|browser|${customerId}|${browserHash}`;
  const { SMS_KNOWN_PER_10_MINUTES, SMS_KNOWN_PER_DAY } = limits;
  return perTenMinutesAndDay("number", bucket, SMS_KNOWN_PER_10_MINUTES, SMS_KNOWN_PER_DAY);
}

/**
 * One stand-in for each cap on open messages, for decoys. They limit nothing (the caps on requests
 * do) but cost the same work, so that response times reveal nothing (S2, S108).
 */
export function standInCaps(subject: string): WindowCaps {
  const bucket = `codes|nothing|${subject}`;
  return {
    own: [
      ...perTenMinutesAndDay("number", `${bucket}|number`, UNLIMITED, UNLIMITED),
      perDay("policy", `${bucket}|policies`, UNLIMITED),
    ],
    shared: [{ bucket: "codes|nothing", most: UNLIMITED, lengthMs: HOUR }],
  };
}

/** The messages that all numbers together may get in an hour: an open budget and a known one (S106). */
function budget(deps: Dependencies, who: "open" | "known"): WindowCap {
  const { SMS_OPEN_TOTAL_PER_HOUR, SMS_KNOWN_TOTAL_PER_HOUR } = deps.limits;
  const most = who === "open" ? SMS_OPEN_TOTAL_PER_HOUR : SMS_KNOWN_TOTAL_PER_HOUR;
  return hourlyBudget(deps, who, { bucket: `codes|all|${who}`, most });
}

function perDay(which: CapName, bucket: string, most: number): WindowCap {
  return counted(which, { bucket, most, lengthMs: DAY });
}

function perTenMinutesAndDay(
  which: CapName,
  bucket: string,
  mostInTenMinutes: number,
  mostInDay: number,
): WindowCap[] {
  const inTenMinutes = { bucket: `${bucket}|10-minutes`, most: mostInTenMinutes, lengthMs: 10 * MINUTE };
  return [counted(which, inTenMinutes), perDay(which, `${bucket}|day`, mostInDay)];
}

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
  const { countedAs, recipient } = request;
  const owner = ownerOf(caller, request);
  const fresh = freshness(deps, now, request.resend);
  // There may be no row to lock yet. Without this lock, a doubled request would count towards the caps twice.
  await takeAdvisoryLock(tx, `send-code|${JSON.stringify(Object.values(ownerColumns(owner)))}`);
  if (await hasFreshCode(tx, owner, fresh)) return done(undefined);
  const stoppedUntil = await blockedUntil(
    tx,
    codeSubject(owner, countedAs.kind === "browser" ? tokenHash(caller.browser) : undefined),
  );
  if (stoppedUntil > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(stoppedUntil, now) };
  const asking = requestCaps(deps, caller, countedAs);
  const askedTooMuch = await takeOwn(tx, asking, now);
  if (askedTooMuch) return askedTooMuch.refusal;
  const sent =
    recipient && countedAs.kind !== "open"
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

/** Sends a code that isn't counted as open. If a cap is reached, says how long to wait. */
async function sendOrSayWhy(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  { recipient, fresh }: { readonly recipient: Recipient; readonly fresh: Freshness },
): Promise<Sent> {
  const caps = sendingCaps(deps, caller, request.countedAs, recipient);
  const tooMuch = await takeOwn(tx, caps, fresh.now);
  if (tooMuch) {
    const reason = capReached(tooMuch.full);
    await audit(tx, caller, fresh.now, { event: "code-not-sent", ...subjectOf(request), reason });
    return { outcome: tooMuch.refusal, shared: [] };
  }
  await write(tx, deps, caller, request, { fresh, phone: recipient.phone, full: undefined });
  return { outcome: done(undefined), shared: caps.shared };
}

/**
 * Sends a code counted as open, or a decoy. The answer doesn't tell whether a number has reached its cap, the budget is
 * used up, or there is a number at all: each case takes the same statements and the same encryption (S106, S108).
 */
async function sendInSilence(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  request: CodeRequest,
  fresh: Freshness,
): Promise<Sent> {
  const { subject, countedAs, recipient } = request;
  const caps = recipient && sendingCaps(deps, caller, countedAs, recipient);
  const standIns = standInCaps(subject);
  const full = await takeOwnInSilence(tx, caps, standIns, fresh.now);
  const phone = full ? undefined : recipient?.phone;
  await write(tx, deps, caller, request, { fresh, phone, full });
  return { outcome: done(undefined), shared: caps && !full ? caps.shared : standIns.shared };
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
  await audit(tx, caller, fresh.now, { ...whatBecame(request, { to, full }), ...subjectOf(request) });
}

/** The audit's words about a code: `reason` says why a customer's code was not sent. */
function whatBecame(
  { recipient }: CodeRequest,
  { to, full }: { readonly to: string | undefined; readonly full: WindowCap | undefined },
): Pick<AuditEvent<PlainEventName>, "event" | "reason"> {
  if (to !== undefined) return { event: "code-sent" };
  if (!recipient) return { event: "code-for-nobody" };
  return { event: "code-not-sent", reason: full ? capReached(full) : "the number gets no SMS" };
}

/** Names a cap as `portal_sms_caps_reached_total` does. */
function capReached({ which }: WindowCap): string {
  return `cap reached: ${which ?? "unnamed"}`;
}

function ownerOf({ browser }: Caller, { subject, purpose }: CodeRequest) {
  return { subject, purpose, browser };
}

/** For the audit: the account if there is one, otherwise the subject. */
function subjectOf({ accountId, subject, purpose }: CodeRequest) {
  return accountId === undefined ? { subject, purpose } : { accountId, purpose };
}
