import { done, type Outcome, type Refusal, refused, SIGNED_OUT } from "~/contract/refusal.server";
import { DAY, secondsUntil } from "~/platform/time.server";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { AccountState } from "../../store/column-values.server";
import { blockedUntil, browserSubject, forgetAttempts, usernameSubject } from "../counting.server";
import { lockAccount, type LockedAccount } from "../accounts/customers.server";
import { noteSignIn } from "../factors/factors.server";
import {
  beginBy,
  comparing,
  type MayRenew,
  refusalOfProof,
  renewedRecoveryCode,
  typedFactor,
  useRecoveryCode,
  type Ways,
  waysOf,
} from "../factors/proof.server";
import { notify } from "../notices/notices.server";
import { type RightCode } from "../codes/code-rows.server";
import { confirmAtOnce, tokenOfConfirm } from "../codes/confirm.server";
import type { SignInWay } from "./sign-in-ways.server";
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

/** The beginning of an activation: the ways to confirm it, if there is more than the SMS. */
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
  return deps.store.write<Outcome<ActivationBegun>>(async (tx) => {
    const found = await findActivating(tx, deps, caller, session);
    if (found.kind !== "done") return found;
    const { factors, methods } = found.value;
    return beginBy(tx, deps, caller, session, { purpose: "login", factors, methods, asked, resend });
  });
}

/** A pending session, and how it can be confirmed. */
interface Activating extends Session, Ways {
  readonly subject: string;
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
  const { accountId } = session;
  const ways = await waysOf(tx, deps, caller, account ?? { accountId, hasFactors: false });
  return done({ ...session, subject: accountId, ...ways });
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
  const proof = { method, code, response };
  const accountId = session.kind === "done" ? session.value.accountId : undefined;
  const typed = await typedFactor(deps, caller, accountId, proof);
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
      return (found.kind === "done" && refusalOfProof(found.value, proof)) || found;
    },
    compare: comparing(deps, caller, "login", typed),
    effect: (tx, owner, code) => activate(tx, deps, caller, { session: owner, code, payload }),
    repeat: (_tx, code) => Promise.resolve(handedOut(deps, caller, code, payload)),
  });
}

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
  const way: SignInWay = payload.method ?? "sms";
  await audit(tx, caller, now, { event: "signed-in", accountId, reason: way });
  await forgetAttempts(tx, attemptsSubject(deps, caller, session));
  await rememberBrowser(tx, deps, caller, accountId);

  const activated = handedOut(deps, caller, code, payload);
  if (session.factors) await noteSignIn(tx, accountId, way);
  if (activated.recoveryCode !== undefined)
    await useRecoveryCode(tx, deps, caller, session, activated.recoveryCode);
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
    await notify(tx, deps, caller, {
      event: "device-trusted",
      customerId,
      deviceName: caller.deviceName,
    });
  }
  return done(activated);
}

/** The outcome of an activation: the tokens, and a new recovery code after the old one. */
type Activated = SignInTokens & MayRenew;

function handedOut(deps: Dependencies, caller: Caller, code: RightCode, payload: Payload): Activated {
  const token = tokenOfConfirm(deps, caller, code, "trusted-device");
  const endsAt = deps.clock() + deps.limits.TRUSTED_DEVICE_DAYS * DAY;
  return {
    session: tokenOfConfirm(deps, caller, code, "session"),
    trustedDevice: payload.trustDevice === "Y" ? { token, endsAt } : undefined,
    ...renewedRecoveryCode(deps, caller, code, payload),
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
