import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { done, NOT_FOUND, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import { audit, type Caller } from "../audit/audit-event.server";
import { lockAccount, type LockedAccount } from "../customers/customers.server";
import type { Dependencies } from "../dependencies.server";
import { keyedHash, newToken, tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import { noteRightFactor } from "../factors/guesses.server";
import { checkSignIn, findPasskey, isUnknown, type SigningIn, usePasskey } from "../factors/passkeys.server";
import { relyingParty } from "../factors/relying-party.server";
import { challengeIn, type SignedAnswer } from "../factors/webauthn.server";
import { openConfirmedSession, refusalOfState } from "./activation.server";
import {
  type IssuedChallenge,
  findIssued,
  isRepeated,
  keepIssued,
  noteAnswer,
  useIssued,
} from "./passkey-sign-in-challenges.server";
import { endSession, isKnownTo } from "./sessions.server";

/** Asks any passkey of this portal to sign in. No account is looked up. */
export async function startPasskeySignIn(
  deps: Dependencies,
  caller: Caller,
): Promise<Outcome<CallResponse<"passkeySignInInit">>> {
  const rp = relyingParty(deps, caller);
  if (!rp) return NOT_FOUND;
  const challenge = newToken();
  await deps.store.write((tx) => keepIssued(tx, deps, caller, challenge));
  return done({
    options: {
      challenge,
      rpId: rp.id,
      timeout: deps.limits.PASSKEY_CHALLENGE_SECONDS * SECOND,
      allowCredentials: [],
      userVerification: "required",
    },
  });
}

type Payload = ReadRequest<"passkeySignInConfirm">;

/** The token of the session that a passkey has opened. */
interface SignedIn {
  readonly session: string;
}

/**
 * Opens an active session for the account that a passkey names. Any answer uses up the challenge; a double submit of a
 * right answer gets the session of the first.
 *
 * Refusals: 010 for a challenge that wasn't issued to this browser, or has expired; 007 for anything else that is wrong, an
 * unknown passkey included, after the same work; 105, 106 and 108 for a state set by staff, after a right answer only. A
 * timed lock by wrong passwords stops nothing here: strangers can cause it.
 */
export async function confirmPasskeySignIn(
  deps: Dependencies,
  caller: Caller,
  payload: Payload,
): Promise<Outcome<SignedIn>> {
  const rp = relyingParty(deps, caller);
  if (!rp) return NOT_FOUND;
  const challenge = await findIssued(deps, caller, await challengeIn(payload.response));
  if (!challenge) return refused("010");
  const signingIn = await checkSignIn(deps, rp, payload.response);
  return deps.store.write(async (tx) => {
    // The account first, as in every transaction; the challenge decides which of several answers counts.
    const found = signingIn && (await lockOwner(tx, signingIn));
    if (!(await useIssued(tx, deps, challenge)))
      return found ? repeat(tx, deps, caller, { challenge, payload, found }) : refused("010");
    if (!found) return refuseWrong(tx, deps, caller, signingIn, payload);
    await noteAnswer(tx, challenge, payload);
    const barred = refusalOfState(found.account.state);
    if (!barred) return done(await signIn(tx, deps, caller, { challenge, payload, found }));
    const { accountId } = found.account;
    await audit(tx, caller, deps.clock(), { event: "sign-in-refused-by-state", accountId });
    return barred;
  });
}

/** A right answer, and the account that it signs in to, locked. */
interface Owner {
  readonly account: LockedAccount;
  readonly passkey: SigningIn["passkey"];
  readonly signed: SignedAnswer;
}

/** Undefined if the answer is wrong, or the passkey was removed while it was checked. */
async function lockOwner(tx: Tx, { passkey, signed }: SigningIn): Promise<Owner | undefined> {
  if (!signed) return undefined;
  const account = await lockAccount(tx, passkey.account_id);
  const current = account && (await findPasskey(tx, passkey.credential_id));
  return current?.id === passkey.id && account ? { account, passkey: current, signed } : undefined;
}

async function refuseWrong(
  tx: Tx,
  { clock }: Dependencies,
  caller: Caller,
  signingIn: SigningIn | undefined,
  { response }: Payload,
): Promise<Refusal> {
  const accountId = signingIn?.passkey.account_id;
  await audit(tx, caller, clock(), { event: "passkey-wrong", accountId });
  const unknown = await isUnknown(tx, response.id);
  if (signingIn || !unknown) return refused("007");
  return { kind: "refused", errorCode: "007", unknown: true };
}

/** A right answer to a challenge. */
interface RightAnswer {
  readonly challenge: IssuedChallenge;
  readonly payload: Payload;
  readonly found: Owner;
}

async function signIn(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { challenge, payload, found }: RightAnswer,
): Promise<SignedIn> {
  const { accountId } = found.account;
  const now = deps.clock();
  await usePasskey(tx, deps, caller, found.passkey, found.signed, true);
  const isKnownBrowser = await isKnownTo(tx, caller, now, accountId);
  const guesser = { accountId, browser: caller.browser, isKnownBrowser };
  await noteRightFactor(tx, deps, guesser, "passkey", undefined);
  await endSession(tx, caller);
  const session = tokenOf(deps, caller, challenge, deps.keyring.current);
  await openConfirmedSession(tx, deps, caller, {
    accountId,
    hasFactors: true,
    method: "passkey",
    startedAt: now,
    token: session,
    deviceName: payload.deviceName,
  });
  return { session };
}

/** Answers a double submit like the first, if that was a moment ago and its session is still open. */
async function repeat(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { challenge, payload, found }: RightAnswer,
): Promise<Outcome<SignedIn>> {
  if (!(await isRepeated(tx, deps, challenge, payload))) return refused("010");
  const barred = refusalOfState(found.account.state);
  if (barred) return barred;
  const { keyring } = deps;
  const tokens = keyring.versions.map((version) => tokenOf(deps, caller, challenge, version));
  const open = await tx
    .selectFrom("sessions")
    .select("id")
    .where("id", "in", tokens.map(tokenHash))
    .executeTakeFirst();
  const session = tokens.find((token) => tokenHash(token) === open?.id);
  return session === undefined ? refused("010") : done({ session });
}

/** Derived, so that a repeat gets the same token although only its hash is stored. */
function tokenOf(
  { keyring }: Dependencies,
  { browser }: Caller,
  { id }: IssuedChallenge,
  version: number,
): string {
  return keyedHash(keyring, "token", version, ["passkey-sign-in", id, browser]);
}
