import type { ReadRequest } from "~/contract/calls.server";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { DAY, secondsUntil } from "../../clock.server";
import { type Outcome, SIGNED_OUT, done, refused } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import { blockedUntil, browserSubject, forgetAttempts, usernameSubject } from "../counting/attempts.server";
import { audit } from "../audit/write-event.server";
import type { RightCode } from "../codes/code-rows.server";
import { confirmAtOnce, tokenOfConfirm } from "../codes/confirm.server";
import { lockAccount } from "../accounts/customers.server";
import { type CodeSent, sendOwnCode } from "../codes/send-code.server";
import { notify } from "../notices/notices.server";
import { type SignInTokens, trustDevice } from "./trusted-devices.server";
import { rememberBrowser } from "./known-browsers.server";
import { type Session, endSession, isActive, startSession } from "./sessions.server";
import { refusalOfState } from "./sign-in.server";

type Payload = ReadRequest<"activateSessionConfirm">;

/** Sends the code for a pending session. An active one needs none. Refusals: 105, 106, 108, and those of sending. */
export async function startActivation(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"activateSessionInit">,
  session: Session,
): Promise<Outcome<CodeSent>> {
  if (isActive(session)) return done({});
  return deps.store.write(async (tx) => {
    const stopped = await whyBlocked(tx, deps, caller, session);
    return stopped ?? sendOwnCode(tx, deps, caller, session, { purpose: "login", resend: payload.resend });
  });
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
): Promise<Outcome<SignInTokens>> {
  return confirmAtOnce(deps, caller, {
    purpose: "login",
    code: payload.authorizationCode,
    payload,
    whose: async (tx) => {
      if (session.kind !== "done") return session;
      const { value } = session;
      return (await whyBlocked(tx, deps, caller, value)) ?? done({ ...value, subject: value.accountId });
    },
    effect: (tx, whose, code) => activate(tx, deps, caller, { session: whose, code, payload }),
    again: (_tx, code) => Promise.resolve(handedOut(deps, caller, code, payload)),
  });
}

async function activate(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { session, code, payload }: { session: Session; code: RightCode; payload: Payload },
): Promise<Outcome<SignInTokens>> {
  const now = deps.clock();
  const { accountId, customerId, endsAt } = session;
  // The back button in another tab has ended the session meanwhile.
  if ((await endSession(tx, caller)) === undefined) return SIGNED_OUT;
  await audit(tx, caller, now, { event: "signed-in", accountId });
  await forgetAttempts(tx, attemptsSubject(deps, caller, session));
  await rememberBrowser(tx, deps, caller, accountId);

  const activated = handedOut(deps, caller, code, payload);
  const { deviceName } = payload;
  await startSession(tx, deps, caller, {
    accountId,
    state: "active",
    startedAt: now,
    token: activated.session,
    endsAt,
    deviceName,
  });
  if (activated.trustedDevice !== undefined) {
    await trustDevice(tx, now, { accountId, deviceName, ...activated.trustedDevice });
    await audit(tx, caller, now, { event: "device-trusted", accountId });
    await notify(tx, deps, caller, { event: "device-trusted", customerId });
  }
  return done(activated);
}

function handedOut(deps: Dependencies, caller: Caller, code: RightCode, payload: Payload): SignInTokens {
  const token = tokenOfConfirm(deps, caller, code, "trusted-device");
  const endsAt = deps.clock() + deps.limits.TRUSTED_DEVICE_DAYS * DAY;
  return {
    session: tokenOfConfirm(deps, caller, code, "session"),
    trustedDevice: payload.trustDevice === "Y" ? { token, endsAt } : undefined,
  };
}

/**
 * The refusal if, since the password was right, staff have changed the account's state or wrong tries have locked it.
 * Locks the account's row: a concurrent password change ends every session, and must not miss a new one.
 */
async function whyBlocked(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
): Promise<Refusal | undefined> {
  const account = await lockAccount(tx, session.accountId);
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
