import type { Access } from "~/contract/calls.server";
import type { CallMessage } from "~/contract/messages.server";
import type { Caller } from "../caller.server";
import { NOT_ACTIVATED, SIGNED_OUT, done, type Outcome } from "../outcome.server";
import type { Dependencies } from "../dependencies.server";
import { findSession, isActive, type ActiveSession, type Session } from "../services/sign-in/sessions.server";

/** The session that a call's handler receives, for each kind of access. */
export interface SessionFor {
  readonly always: undefined;
  readonly open: ActiveSession | undefined;
  readonly session: Session;
  /** The refusal is passed on: the handler answers with it unless the call is a repeat. */
  readonly "session-or-repeat": Outcome<Session>;
  readonly active: ActiveSession;
}

const ADMIT: { readonly [A in Access]: (session: Session | undefined) => Outcome<SessionFor[A]> } = {
  always: () => done(undefined),
  open: (session) => (session === undefined || isActive(session) ? done(session) : NOT_ACTIVATED),
  session: (session) => (session ? done(session) : SIGNED_OUT),
  "session-or-repeat": (session) => done(session ? done(session) : SIGNED_OUT),
  active: (session) => {
    if (!session) return SIGNED_OUT;
    return isActive(session) ? done(session) : NOT_ACTIVATED;
  },
};

/**
 * Looks up the caller's session, unless anyone may make the call at any time. Happens once per request, and once for all
 * that a page reads.
 */
export async function sessionFor(
  access: Access,
  deps: Dependencies,
  caller: Caller,
  { lookedUp }: Pick<CallMessage, "lookedUp">,
): Promise<Session | undefined> {
  if (access === "always") return undefined;
  if (!lookedUp) return findSession(deps, caller);
  const known = lookedUp.get(findSession) as Promise<Session | undefined> | undefined;
  const session = known ?? findSession(deps, caller);
  lookedUp.set(findSession, session);
  return session;
}

/** The session that a handler receives, or 401 or 409. */
export function admit<A extends Access>(access: A, session: Session | undefined): Outcome<SessionFor[A]> {
  return ADMIT[access](session);
}

/** Admits a call with an invalid payload. That can't be a repeat, so `session-or-repeat` needs a session here. */
export function admitInvalid(access: Access, session: Session | undefined): Outcome<unknown> {
  return admit(access === "session-or-repeat" ? "session" : access, session);
}
