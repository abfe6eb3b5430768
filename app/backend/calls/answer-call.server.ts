import { setTimeout } from "node:timers/promises";
import {
  type Answer,
  done,
  NOT_ACTIVATED,
  NOT_FOUND,
  type Outcome,
  SIGNED_OUT,
  UNAVAILABLE,
} from "~/contract/refusal.server";
import {
  type Access,
  CALLS,
  type CallName,
  type CallRequest,
  type CallResponse,
  costsNoTry,
} from "~/contract/calls.server";
import { MOST_DEVICE_NAME, NOT_STORABLE } from "~/contract/rules";
import type { Limits } from "~/platform/config/limits";
import { systemClock } from "~/platform/time.server";
import { type Caller, countEvent } from "../audit/audit-event.server";
import { countInvalidConfirm, isOwnerField, limitByAddress, type Sent } from "./counted-calls.server";
import { type Cookie, type Tokens, browserCookie } from "./cookies.server";
import type { Dependencies } from "../dependencies.server";
import { HANDLERS, type Reply, type SessionFor, handle } from "./handlers.server";
import { isToken, newToken } from "../secrets/keyring.server";
import { findSession, isActive, type Session } from "../sign-in/sessions.server";
import { DEVICE_COOKIES } from "../sign-in/trusted-devices.server";
import { DatabaseUnavailable } from "../store/store.server";

/** The caller, as the portal or the HTTP edge knows it. */
export interface Origin {
  /** The client's address, as the front door verified it. */
  readonly address: string;
  readonly requestId: string;
  /** The name of the caller's device; empty if it isn't known. */
  readonly deviceName: string;
  /** The request's Host; undefined if it isn't known. */
  readonly host?: string | undefined;
  /** When the head of the request arrived, in ms since 1970; undefined: now. */
  readonly receivedAt: number | undefined;
  /** From the cookies; a value that can't be a token counts as missing. */
  readonly tokens: Tokens;
  /** Makes a signal that is aborted when the client has left. */
  readonly left: (() => AbortSignal) | undefined;
}

/** Options of a call, beside its payload. */
interface CallOptions {
  /** Whether the body was no JSON object. Then the payload has only the parameters of the path. */
  readonly isUnreadable?: boolean;
  /** The look-ups that earlier calls of the same page made. Only for calls that change nothing. */
  readonly reads?: PageReads | undefined;
}

/** Look-ups that all reading calls of a page share. The look-up of the session alone is a twelfth of a page's cost. */
export interface PageReads {
  session?: Promise<Session | undefined>;
}

/** The outcome of a call, and the cookies for the browser. */
interface Answered {
  readonly answer: Answer<Reply>;
  readonly cookies: readonly Cookie[];
}

/**
 * Answers a call, whether it came over HTTP or from this process. Never throws: an unexpected error is logged, and the
 * answer is `failed`; if the database can't be used, the answer has a retry time.
 */
export async function answerCall(
  deps: Dependencies,
  name: CallName,
  payload: Sent,
  origin: Origin,
  options: CallOptions = {},
): Promise<Answered> {
  const { log, limits } = deps;
  const caller = callerOf(deps, origin);
  const { requestId } = caller;
  const answer = await decide(deps, caller, name, payload, options).catch((error: unknown) => {
    const isDown = error instanceof DatabaseUnavailable;
    log.error({ err: error, requestId }, isDown ? "database unavailable" : "backend failed");
    return isDown ? UNAVAILABLE : ({ kind: "failed" } as const);
  });
  for (const auditEvent of caller.audited) {
    const { event, accountId, purpose } = auditEvent;
    log.info({ event, accountId, purpose, requestId }, "audit");
    countEvent(auditEvent);
  }
  // A client that is refused at once retries at once, and such retries would keep all customers' sign-ins waiting.
  if (answer.kind === "rate-limited") await setTimeout(limits.REFUSAL_HOLD_MS);
  const callCookies = answer.kind === "done" ? answer.value.cookies : [];
  return { answer, cookies: [...callCookies, ...greeting(limits, origin, caller.browser)] };
}

/** The browser cookie, for a browser that sent none. @param browser the token for the new cookie */
export function greeting(limits: Limits, { tokens }: Origin, browser = newToken()): readonly Cookie[] {
  return couldBeToken(tokens.browser) ? [] : [browserCookie(limits, { browser })];
}

function couldBeToken(value: string | undefined): value is string {
  return value !== undefined && isToken(value);
}

function callerOf({ stopwatch }: Dependencies, origin: Origin): Caller {
  const { tokens, receivedAt } = origin;
  const age = receivedAt === undefined ? 0 : Math.max(0, systemClock() - receivedAt);
  const token = (name: keyof Tokens) => {
    const value = tokens[name];
    return couldBeToken(value) ? value : undefined;
  };
  return {
    address: origin.address,
    requestId: origin.requestId,
    deviceName: NOT_STORABLE.test(origin.deviceName)
      ? ""
      : [...origin.deviceName].slice(0, MOST_DEVICE_NAME).join(""),
    host: origin.host,
    arrivedAt: stopwatch() - age,
    browser: token("browser") ?? newToken(),
    session: token("session"),
    deviceTokens: Object.fromEntries(DEVICE_COOKIES.map((name) => [name, token(name)])),
    left: origin.left,
    audited: [],
  };
}

async function decide(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  payload: Sent,
  { isUnreadable = false, reads }: CallOptions,
): Promise<Outcome<Reply>> {
  const { access, request } = CALLS[name];
  const read = request.safeParse(isUnreadable ? undefined : payload);
  const invalid = read.success
    ? []
    : [...new Set(read.error.issues.flatMap((issue) => issue.path.slice(0, 1).map(String)))];
  // An invalid parameter in the path, such as a username with a NUL, names nothing that exists.
  if (invalid.some((field) => isInPath(name, field))) return NOT_FOUND;

  // A call that this installation doesn't offer is a 404 for everyone, signed in or not.
  if (HANDLERS[name].isOffered?.(deps, caller) === false) return NOT_FOUND;

  const session = await sessionFor(access, deps, caller, reads);
  const cannotBeTried = invalid.some(
    (field) => costsNoTry(name, field) || (isOwnerField(name, field) && isEmpty(payload[field])),
  );
  const tooMany = !cannotBeTried && (await limitByAddress(deps, caller, name, payload, session));
  if (tooMany) return tooMany;
  if (read.success) {
    const admitted = admit(access, session);
    return admitted.kind === "done" ? handle(name, deps, caller, read.data, admitted.value) : admitted;
  }
  // Check access first: without it, the refusal must not reveal whether the payload is valid. An invalid payload can't be
  // a repeated confirm, so it needs a session.
  const admitted = admit(access === "session-or-repeat" ? "session" : access, session);
  if (admitted.kind !== "done") return admitted;
  // A malformed code, or a code without its owner, is compared with nothing, so it counts as no try (S118).
  if (cannotBeTried) return { kind: "invalid", fields: invalid };
  // Only valid fields are used to find the code: an invalid field matches no owner, and may not fit in the database.
  const valid = Object.entries(payload).filter(([field]) => !invalid.includes(field));
  const blocked = await countInvalidConfirm(deps, caller, name, Object.fromEntries(valid), session);
  return blocked ?? { kind: "invalid", fields: invalid };
}

function isInPath(name: CallName, field: string): boolean {
  return CALLS[name].path.includes(`{${field}}`);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

const ADMIT: { readonly [A in Access]: (session: Session | undefined) => Outcome<SessionFor[A]> } = {
  always: () => done(undefined),
  "signed-out": (session) => (session && isActive(session) ? NOT_ACTIVATED : done(undefined)),
  open: (session) => (session === undefined || isActive(session) ? done(session) : NOT_ACTIVATED),
  session: (session) => (session ? done(session) : SIGNED_OUT),
  "session-or-repeat": (session) => done(session ? done(session) : SIGNED_OUT),
  active: (session) => {
    if (!session) return SIGNED_OUT;
    return isActive(session) ? done(session) : NOT_ACTIVATED;
  },
};

/** Looks up the caller's session, unless anyone may make the call at any time. */
async function sessionFor(
  access: Access,
  deps: Dependencies,
  caller: Caller,
  reads: PageReads = {},
): Promise<Session | undefined> {
  return access === "always" ? undefined : (reads.session ??= findSession(deps, caller));
}

/** The session that a handler receives, or a refusal: 401 or 409. */
function admit<A extends Access>(access: A, session: Session | undefined): Outcome<SessionFor[A]> {
  return ADMIT[access](session);
}

/** Makes a call in this process; never throws. */
export type CallInProcess = <Name extends CallName>(
  name: Name,
  payload: CallRequest<Name>,
  origin: Origin,
  reads?: PageReads,
) => Promise<{ readonly answer: Answer<CallResponse<Name>>; readonly cookies: readonly Cookie[] }>;

/** The backend as typed calls in this process. */
export function makeCall(deps: Dependencies): CallInProcess {
  return async <Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
    origin: Origin,
    reads?: PageReads,
  ) => {
    const { answer, cookies } = await answerCall(deps, name, payload, origin, { reads });
    // Each handler's reply matches its schema.
    return {
      answer: answer.kind === "done" ? done(answer.value.body as CallResponse<Name>) : answer,
      cookies,
    };
  };
}
