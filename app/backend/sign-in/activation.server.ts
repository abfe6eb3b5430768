import { done, type Outcome, type Refusal, refused, SIGNED_OUT } from "~/contract/refusal.server";
import { DAY, secondsUntil } from "~/platform/time.server";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Method } from "~/contract/factors.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import type { AccountState } from "../store/column-values.server";
import { blockedUntil, browserSubject, forgetAttempts, usernameSubject } from "../limits/attempts.server";
import { lockAccount, type LockedAccount } from "../customers/customers.server";
import { noteSignIn, type ProofOptions, proofOptionsOf } from "../factors/factors.server";
import {
  type MayRenew,
  readProof,
  renewedRecoveryCode,
  startProof,
  useRecoveryCode,
} from "../factors/proof.server";
import { notify } from "../notices/notices.server";
import type { RightProof } from "../codes/compare.server";
import { confirmAtOnce, tokenOfConfirm } from "../codes/confirm.server";
import { type SignInTokens, tokensOfTrust, trustDevice } from "./trusted-devices.server";
import {
  endSession,
  isActive,
  type NewSession,
  rememberBrowser,
  type Session,
  startSession,
} from "./sessions.server";

/** The refusal for a state that staff set on the account. Returned only after the right password. */
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

/**
 * Begins to confirm a pending session, as `startProof` does. An active session needs nothing. Further refusals: 105, 106,
 * 108.
 */
export async function startActivation(
  deps: Dependencies,
  caller: Caller,
  { resend, method }: ReadRequest<"activateSessionInit">,
  session: Session,
): Promise<Outcome<CallResponse<"activateSessionInit">>> {
  if (isActive(session)) return done({});
  return deps.store.write(async (tx) => {
    const account = await lockAccount(tx, session.accountId);
    const barred = await whyBlocked(tx, deps, caller, session, account);
    return barred ?? startProof(tx, deps, caller, session, account, { purpose: "login", method, resend });
  });
}

/** A pending session, and how it can be confirmed. */
interface Activating extends Session {
  readonly subject: string;
  readonly proofOptions: ProofOptions;
}

/** Finds out how a pending session can be confirmed now, or why it can't. Locks the account. */
async function findActivating(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
): Promise<Outcome<Activating>> {
  const account = await lockAccount(tx, session.accountId);
  const barred = await whyBlocked(tx, deps, caller, session, account);
  if (barred) return barred;
  if (!account) return SIGNED_OUT;
  const proofOptions = await proofOptionsOf(tx, deps, caller, account, "login");
  return done({ ...session, subject: session.accountId, proofOptions });
}

/**
 * Makes the session active under a new id if the code is right, and trusts the device on request. A repeat from the
 * same browser within seconds returns the same session and device, although the pending session has ended by then.
 */
export async function confirmActivation(
  deps: Dependencies,
  caller: Caller,
  payload: Payload,
  session: Outcome<Session>,
): Promise<Outcome<Activated>> {
  const { authorizationCode: code = "", response, method = "sms" } = payload;
  const accountId = session.kind === "done" ? session.value.accountId : undefined;
  return confirmAtOnce<Activating, Activated>(deps, caller, {
    purpose: "login",
    proof: await readProof(deps, caller, accountId, { method, code, response }),
    // The previous release hashes all fields, so hash all of them: a repeat that reaches it must match.
    payload: { ...payload, authorizationCode: code, method, response: response ?? "" },
    findOwner: (tx) =>
      session.kind === "done" ? findActivating(tx, deps, caller, session.value) : Promise.resolve(session),
    effect: (tx, owner, proof) => activate(tx, deps, caller, { session: owner, proof, payload }),
    repeat: (tx, proof) => activationTokens(tx, deps, caller, proof, payload),
  });
}

async function activate(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { session, proof, payload }: { session: Activating; proof: RightProof; payload: Payload },
): Promise<Outcome<Activated>> {
  const now = deps.clock();
  const { accountId, customerId, endsAt } = session;
  // The back button in another tab has ended the session meanwhile.
  if ((await endSession(tx, caller)) === undefined) return SIGNED_OUT;
  await forgetAttempts(tx, attemptsSubject(deps, caller, session));

  const activated = await activationTokens(tx, deps, caller, proof, payload);
  const { deviceName, method = "sms" } = payload;
  await openConfirmedSession(tx, deps, caller, {
    accountId,
    hasFactors: session.proofOptions.factors.settings !== null,
    method,
    startedAt: now,
    token: activated.session,
    endsAt,
    deviceName,
    recoveredAt: activated.recoveryCode === undefined ? undefined : now,
  });
  if (activated.recoveryCode !== undefined)
    await useRecoveryCode(tx, deps, caller, session, activated.recoveryCode);
  const { "trusted-device": trusted } = activated.devices;
  if (trusted !== undefined) {
    await trustDevice(tx, caller, now, { accountId, deviceName, ...trusted });
    await audit(tx, caller, now, { event: "device-trusted", accountId });
    await notify(tx, deps, caller, {
      event: "device-trusted",
      customerId,
      deviceName: caller.deviceName,
    });
  }
  return done(activated);
}

/** A sign-in that a code or a factor has confirmed. */
interface ConfirmedSignIn extends Omit<NewSession, "state"> {
  readonly hasFactors: boolean;
  readonly method: Method;
  readonly token: string;
}

/** Opens an active session: the account knows the browser from now on, and a factor ends what a reset began. */
export async function openConfirmedSession(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { method, hasFactors, ...session }: ConfirmedSignIn,
): Promise<void> {
  const { accountId, startedAt } = session;
  await audit(tx, caller, startedAt, { event: "signed-in", accountId, reason: method });
  await rememberBrowser(tx, deps, caller, accountId);
  if (hasFactors) await noteSignIn(tx, accountId, method);
  await startSession(tx, deps, caller, { ...session, state: "active" });
}

/** The outcome of an activation: the tokens, and a new recovery code after the old one. */
type Activated = SignInTokens & MayRenew;

async function activationTokens(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  proof: RightProof,
  payload: Payload,
): Promise<Activated> {
  const token = tokenOfConfirm(deps, caller, proof, "trusted-device");
  const endsAt = deps.clock() + deps.limits.TRUSTED_DEVICE_DAYS * DAY;
  const device = { token, endsAt, accountId: proof.subject };
  const trusts = payload.trustDevice === "Y" && deps.trustsDevices;
  return {
    session: tokenOfConfirm(deps, caller, proof, "session"),
    devices: trusts ? await tokensOfTrust(tx, caller, deps.clock(), device) : {},
    ...renewedRecoveryCode(deps, caller, proof, payload),
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
