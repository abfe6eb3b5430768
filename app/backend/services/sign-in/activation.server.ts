import { done, type Outcome, type Refusal, refused, SIGNED_OUT } from "~/contract/refusal.server";
import { DAY, secondsUntil } from "~/platform/time.server";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Method } from "~/contract/factors.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { AccountState } from "../../store/tables.server";
import { blockedUntil, browserSubject, forgetAttempts, usernameSubject } from "../counting.server";
import { lockAccount, type LockedAccount } from "../accounts/customers.server";
import { compareFactor, type FactorAnswer, refusalIfBlocked } from "../factors/compare.server";
import {
  deriveRecoveryCode,
  type Factors,
  factorsOf,
  keepRecoveryCode,
  noteSignIn,
  signInMethods,
} from "../factors/factors.server";
import { askPasskeys, checkAnswer } from "../factors/passkeys.server";
import { relyingParty } from "../factors/relying-party.server";
import { notify } from "../notices/notices.server";
import { type RightCode } from "../codes/code-rows.server";
import { confirmAtOnce, tokenOfConfirm } from "../codes/confirm.server";
import { sendOwnCode } from "../codes/send-code.server";
import { type SignInTokens, trustDevice } from "./trusted-devices.server";
import { endSession, isActive, rememberBrowser, type Session, startSession } from "./sessions.server";

/** The refusal for a state that staff set on the account. Told only after the right password. */
export function refusalOfState(state: AccountState): Refusal | undefined {
  switch (state) {
    case "active":
      return undefined;
    case "locked":
      return refused("106");
    case "expired":
      return refused("105");
    case "disabled":
      return refused("108");
  }
}

type Payload = ReadRequest<"activateSessionConfirm">;

/** What an activation begins with: the ways to confirm it, if there is more than the SMS. */
type ActivationBegun = CallResponse<"activateSessionInit">;

/**
 * Begins to confirm a pending session: sends the code, unless a factor confirms it. An active session needs nothing.
 * Refusals: 105, 106, 108, those of sending, 422 for a method that the account can't use, and 429 while nothing can be
 * compared.
 */
export async function startActivation(
  deps: Dependencies,
  caller: Caller,
  { resend, method: asked }: ReadRequest<"activateSessionInit">,
  session: Session,
): Promise<Outcome<ActivationBegun>> {
  if (isActive(session)) return done({});
  const sendBySms = (tx: Tx) => sendOwnCode(tx, deps, caller, session, { purpose: "login", resend });
  const rp = relyingParty(deps, caller);
  return deps.store.write<Outcome<ActivationBegun>>(async (tx) => {
    const found = await findActivating(tx, deps, caller, session);
    if (found.kind !== "done") return found;
    const { factors, methods } = found.value;
    const method = asked ?? methods[0] ?? "recovery";
    if (!methods.includes(method)) return NOT_USABLE;
    if (factors === undefined) return sendBySms(tx);
    const offered = { methods: [...methods], method };
    if (method !== "sms") {
      const owner = { subject: session.accountId, purpose: "login", browser: caller.browser } as const;
      const { accountId, isKnownBrowser } = session;
      const blocked = await refusalIfBlocked(tx, deps, { ...owner, accountId, isKnownBrowser }, method);
      if (blocked) return blocked;
      if (method !== "passkey" || !rp) return done(offered);
      return done({ ...offered, options: await askPasskeys(tx, deps, owner, rp, factors.passkeys) });
    }
    const sent = await sendBySms(tx);
    return sent.kind === "done" ? done({ ...sent.value, ...offered }) : sent;
  });
}

/** Refuses a method that the account can't use. It costs no try. */
const NOT_USABLE: Refusal = { kind: "invalid", fields: ["method"] };

/** Refuses a missing answer of a passkey. It costs no try. */
const NO_ANSWER: Refusal = { kind: "invalid", fields: ["response"] };

/** A pending session, and how it can be confirmed. */
interface Activating extends Session {
  readonly subject: string;
  /** Undefined for an account without any: then nothing but the SMS confirms. */
  readonly factors: Factors | undefined;
  readonly countsGuesses: boolean;
  readonly methods: readonly Method[];
}

/** Finds out how a pending session can be confirmed now, or why it can't. Locks the account. */
async function findActivating(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
): Promise<Outcome<Activating>> {
  const account = await lockAccount(tx, session.accountId);
  const stopped = await whyBlocked(tx, deps, caller, session, account);
  if (stopped) return stopped;
  const factors = account?.hasFactors === true ? await factorsOf(tx, session.accountId) : undefined;
  const methods = factors ? signInMethods(factors, relyingParty(deps, caller)) : (["sms"] as const);
  const countsGuesses = factors !== undefined;
  return done({ ...session, subject: session.accountId, factors, countsGuesses, methods });
}

/**
 * Makes the session active under a new id if the code is right, and trusts the device if asked to. A repeat from the
 * same browser within seconds returns the same session and device, although the pending session has ended by then.
 */
export async function confirmActivation(
  deps: Dependencies,
  caller: Caller,
  payload: Payload,
  session: Outcome<Session>,
): Promise<Outcome<Activated>> {
  const { authorizationCode: code = "", response, method = "sms" } = payload;
  const typed = await typedAnswer(deps, caller, payload, session);
  return confirmAtOnce<Activating, Activated>(deps, caller, {
    purpose: "login",
    code,
    payload: {
      ...payload,
      authorizationCode: code,
      method,
      response: response ? JSON.stringify(response) : "",
    },
    findOwner: async (tx) => {
      if (session.kind !== "done") return session;
      const found = await findActivating(tx, deps, caller, session.value);
      if (found.kind === "done" && !found.value.methods.includes(method)) return NOT_USABLE;
      if (found.kind === "done" && method === "passkey" && !response) return NO_ANSWER;
      return found;
    },
    compare:
      typed === undefined
        ? undefined
        : (tx, { factors, methods, ...owner }) =>
            factors
              ? compareFactor(
                  tx,
                  deps,
                  caller,
                  {
                    ...owner,
                    factors,
                    purpose: "login",
                    browser: caller.browser,
                    mayUseSms: methods.includes("sms"),
                  },
                  typed,
                )
              : Promise.resolve(NOT_USABLE),
    effect: (tx, owner, code) => activate(tx, deps, caller, { session: owner, code, payload }),
    repeat: (_tx, code) => Promise.resolve(handedOut(deps, caller, code, payload)),
  });
}

/** The code of a factor, or what a passkey says; undefined for a code that was sent. */
async function typedAnswer(
  deps: Dependencies,
  caller: Caller,
  { authorizationCode: code = "", response, method = "sms" }: Payload,
  session: Outcome<Session>,
): Promise<FactorAnswer | undefined> {
  if (method === "sms") return undefined;
  if (method !== "passkey") return { method, code };
  if (session.kind !== "done" || !response) return { method, checked: NOTHING };
  return {
    method,
    checked: await checkAnswer(deps, relyingParty(deps, caller), session.value.accountId, response),
  };
}

/** For the second of a doubled submit, whose session has ended: it repeats, or it is refused. */
const NOTHING = { challenge: undefined, right: undefined };

async function activate(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { session, code, payload }: { session: Activating; code: RightCode; payload: Payload },
): Promise<Outcome<Activated>> {
  const now = deps.clock();
  const { accountId, customerId, endsAt } = session;
  // The back button in another tab has ended the session meanwhile.
  if ((await endSession(tx, caller)) === undefined) return SIGNED_OUT;
  await audit(tx, caller, now, { event: "signed-in", accountId });
  await forgetAttempts(tx, attemptsSubject(deps, caller, session));
  await rememberBrowser(tx, deps, caller, accountId);

  const activated = handedOut(deps, caller, code, payload);
  if (session.factors) await noteSignIn(tx, accountId, payload.method ?? "sms");
  if (activated.recoveryCode !== undefined) await recover(tx, deps, caller, session, activated.recoveryCode);
  const { deviceName } = payload;
  await startSession(tx, deps, caller, {
    accountId,
    state: "active",
    startedAt: now,
    token: activated.session,
    endsAt,
    deviceName,
    recoveredAt: activated.recoveryCode === undefined ? undefined : now,
  });
  if (activated.trustedDevice !== undefined) {
    await trustDevice(tx, now, { accountId, deviceName, ...activated.trustedDevice });
    await audit(tx, caller, now, { event: "device-trusted", accountId });
    await notify(tx, deps, caller, { event: "device-trusted", customerId });
  }
  return done(activated);
}

/** A recovery code works once: a new one replaces it. Whoever has lost a device may have lost a trusted one. */
async function recover(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId }: Session,
  next: string,
): Promise<void> {
  await keepRecoveryCode(tx, deps, accountId, next);
  await tx.deleteFrom("trusted_devices").where("account_id", "=", accountId).execute();
  await audit(tx, caller, deps.clock(), { event: "recovery-code-used", accountId });
  await notify(tx, deps, caller, { event: "recovery-code-used", customerId });
}

/** What an activation hands out: the tokens, and a new recovery code after the old one. */
interface Activated extends SignInTokens {
  readonly recoveryCode?: string;
}

function handedOut(deps: Dependencies, caller: Caller, code: RightCode, payload: Payload): Activated {
  const token = tokenOfConfirm(deps, caller, code, "trusted-device");
  const endsAt = deps.clock() + deps.limits.TRUSTED_DEVICE_DAYS * DAY;
  return {
    session: tokenOfConfirm(deps, caller, code, "session"),
    trustedDevice: payload.trustDevice === "Y" ? { token, endsAt } : undefined,
    ...(payload.method === "recovery" && {
      recoveryCode: deriveRecoveryCode(deps.keyring, code.keyVersion, [code.id, caller.browser]),
    }),
  };
}

/**
 * The refusal if, since the password was right, staff have changed the account's state or wrong tries have locked it.
 * The account's row is locked: a concurrent password change ends every session, and must not miss a new one.
 */
async function whyBlocked(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  account: LockedAccount | undefined,
): Promise<Refusal | undefined> {
  const byState = account && refusalOfState(account.state);
  if (byState) return byState;
  const now = deps.clock();
  const until = await blockedUntil(tx, attemptsSubject(deps, caller, session));
  return until > now ? refused("106", secondsUntil(until, now)) : undefined;
}

function attemptsSubject(
  deps: Dependencies,
  caller: Caller,
  { accountId, username, isKnownBrowser }: Session,
) {
  return isKnownBrowser
    ? browserSubject(accountId, tokenHash(caller.browser))
    : usernameSubject(deps, username);
}
