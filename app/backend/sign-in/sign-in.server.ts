import { readPassword } from "~/contract/rules";
import { done, type Outcome, type Refusal, refused, TOO_BUSY } from "~/contract/refusal.server";
import { addressBucket } from "~/platform/network/client-address";
import { MINUTE, secondsUntil } from "~/platform/time.server";
import { audit, type Caller, countRateLimitedSignIn } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { BUSY, type PasswordHash, type QueuePlace } from "../secrets/passwords.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import {
  browserSubject,
  deviceSubject,
  forgetAttempts,
  giveAttemptBack,
  reserveAttempt,
  type ReservedAttempt,
  signInPolicy,
  usernameSubject,
} from "../limits/attempts.server";
import { refusalIfFull, spendShared, type WindowCap } from "../limits/windows.server";
import { type Account, findAccount, lockAccount, type NamedAccount } from "../customers/customers.server";
import { notifyOfLock } from "../notices/notices.server";
import { expireCodes } from "../codes/code-rows.server";
import { forgetChallenges } from "../factors/passkeys.server";
import {
  type PresentedDevice,
  presentedDevices,
  type SignInTokens,
  useDeviceToken,
} from "./trusted-devices.server";
import { refusalOfState } from "./activation.server";
import { endSession, rememberBrowser, startSession } from "./sessions.server";
import { takeSignInPass } from "./sign-in-passes.server";
import type { SignInWay } from "~/contract/customer-area.server";

/** Username and password as entered. */
interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A try that is already counted. An unknown username has no account, and costs the same work. */
interface Attempt {
  readonly reservation: ReservedAttempt;
  readonly subject: string;
  readonly account: NamedAccount | undefined;
  /** The account's trusted device in this browser, the best token first. */
  readonly devices: readonly PresentedDevice[];
}

/**
 * Checks username and password and starts a session: active on a trusted device or with a sign-in pass, otherwise
 * pending.
 *
 * Refusals: 101, which says if one more wrong password locks the account; 106 with a time for the wrong password that
 * locks it and while it is locked, whether or not the account exists; 105, 106 and 108 for a state set by staff, only after
 * the right password; rate-limited; busy.
 */
export async function signIn(
  deps: Dependencies,
  caller: Caller,
  typed: Credentials,
): Promise<Outcome<SignInTokens>> {
  const outcome = await deps.passwords.withPlace(caller.arrivedAt, (place) =>
    checkCredentials(deps, caller, typed, place),
  );
  return outcome === BUSY ? TOO_BUSY : outcome;
}

async function checkCredentials(
  deps: Dependencies,
  caller: Caller,
  typed: Credentials,
  place: QueuePlace,
): Promise<Outcome<SignInTokens>> {
  const admitted = await deps.store.write((tx) => admit(tx, deps, caller, typed.username));
  if (admitted.kind === "rate-limited") countRateLimitedSignIn();
  if (admitted.kind !== "done") return admitted;
  const attempt = admitted.value;
  const password = readPassword(typed.password);
  const verdict = await deps.passwords.verify(password, attempt.account?.password, place);

  if (verdict === BUSY) {
    await deps.store.write((tx) => giveAttemptBack(tx, signInPolicy(deps.limits), attempt.reservation));
    return TOO_BUSY;
  }
  if (verdict === "wrong" || !attempt.account)
    return deps.store.write((tx) => refusePassword(tx, deps, caller, attempt));
  const renewed = verdict === "outdated" ? await deps.passwords.hash(password, caller.arrivedAt) : BUSY;
  return deps.store.write((tx) =>
    completeSignIn(tx, deps, caller, attempt, renewed === BUSY ? undefined : renewed),
  );
}

/**
 * Counts a try, for the caller's address and for the username or browser, before the password is compared. The address
 * counts last: its row is shared, and stays locked until the commit.
 */
async function admit(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  username: string,
): Promise<Outcome<Attempt>> {
  const now = deps.clock();
  const account = await findAccount(tx, { browser: caller.browser, now }, username);
  const ownSubject =
    account?.isKnownBrowser === true
      ? browserSubject(account.accountId, tokenHash(caller.browser))
      : undefined;
  const window = await windowWithRoom(tx, deps, caller, ownSubject, now);
  if (window.kind !== "done") return window;

  const presented = deps.trustsDevices ? await presentedDevices(tx, caller, now) : [];
  const devices = presented.filter(({ accountId }) => accountId === account?.accountId);
  const [device] = devices;
  const subject =
    device && !device.isReplayed ? deviceSubject(device.id) : (ownSubject ?? usernameSubject(deps, username));
  const reservation = await reserveAttempt(tx, signInPolicy(deps.limits), subject, now);
  if (reservation.kind === "blocked")
    await audit(tx, caller, now, { event: "sign-in-blocked", ...subjectOf({ account, subject }) });
  await spendShared(tx, [window.value], now);
  return reservation.kind === "blocked"
    ? refused("106", secondsUntil(reservation.until, now))
    : done({ reservation, subject, account, devices });
}

/** Others at the same address may use up its tries. A known browser then has the same number of its own (S107). */
async function windowWithRoom(
  tx: Tx,
  { limits }: Dependencies,
  caller: Caller,
  ownSubject: string | undefined,
  now: number,
): Promise<Outcome<WindowCap>> {
  const allowed = { most: limits.ADDRESS_SIGN_INS_PER_10_MINUTES, lengthMs: 10 * MINUTE };
  const ofAddress = { bucket: `sign-in|address|${addressBucket(caller.address)}`, ...allowed };
  const tooMany = await refusalIfFull(tx, ofAddress, now);
  if (!tooMany || ownSubject === undefined) return tooMany ?? done(ofAddress);
  const ofBrowser = { bucket: ownSubject, ...allowed };
  return (await refusalIfFull(tx, ofBrowser, now)) ?? done(ofBrowser);
}

/** For the audit: the account if there is one, otherwise the subject. */
function subjectOf({ account, subject }: Pick<Attempt, "account" | "subject">) {
  return account ? { accountId: account.accountId } : { subject };
}

async function refusePassword(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  attempt: Attempt,
): Promise<Refusal> {
  const now = deps.clock();
  await audit(tx, caller, now, { event: "password-wrong", ...subjectOf(attempt) });
  const { left, until } = attempt.reservation;
  if (left === 0) {
    await audit(tx, caller, now, { event: "sign-in-locked", ...subjectOf(attempt) });
    const { customerId } = attempt.account ?? {};
    await notifyOfLock(tx, deps, caller, { customerId, subject: attempt.subject });
    return refused("106", secondsUntil(until, now));
  }
  return { kind: "refused", errorCode: "101", ...(left === 1 && { triesLeft: 1 }) };
}

async function completeSignIn(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  attempt: Attempt,
  renewed: PasswordHash | undefined,
): Promise<Outcome<SignInTokens>> {
  const { account } = attempt;
  const now = deps.clock();
  const current = account && (await lockAccount(tx, account.accountId));
  // The password was changed while its hash was computed.
  if (!current || current.password.hash !== account.password.hash)
    return refusePassword(tx, deps, caller, attempt);

  await giveAttemptBack(tx, signInPolicy(deps.limits), attempt.reservation);
  if (renewed) {
    const values = { password_hash: renewed.hash, pepper_version: renewed.pepperVersion };
    await tx.updateTable("accounts").set(values).where("id", "=", current.accountId).execute();
  }
  const refusedState = refusalOfState(current.state);
  if (refusedState) {
    await audit(tx, caller, now, { event: "sign-in-refused-by-state", accountId: current.accountId });
    return refusedState;
  }
  return done(await openSession(tx, deps, caller, { account: current, attempt }));
}

/** Starts an active session on a trusted device or after a password reset; otherwise a pending one. */
async function openSession(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { account: { accountId, customerId }, attempt }: { account: Account; attempt: Attempt },
): Promise<SignInTokens> {
  const now = deps.clock();
  const [device, ...left] = attempt.devices;
  const trustedDevice = device && (await useDeviceToken(tx, deps, caller, { device, customerId }));
  const pass = trustedDevice ? undefined : await takeSignInPass(tx, deps, caller, accountId);
  if (pass?.isRepeated === true) return { session: pass.token, devices: {} };
  await endSession(tx, caller);
  const needsCode = trustedDevice === undefined && pass === undefined;
  const way: SignInWay = trustedDevice ? "trusted-device" : "after-reset";
  await audit(
    tx,
    caller,
    now,
    needsCode ? { event: "password-right", accountId } : { event: "signed-in", accountId, reason: way },
  );
  if (!needsCode) await forgetAttempts(tx, attempt.subject);
  // The pass stands for the code of the reset.
  if (pass) await rememberBrowser(tx, deps, caller, accountId);
  const session = await startSession(tx, deps, caller, {
    accountId,
    state: needsCode ? "pending" : "active",
    startedAt: now,
    ...(pass && { token: pass.token }),
  });
  // One cookie is enough for an account: an earlier token of its device would later be taken for a copy.
  const removed = Object.fromEntries(left.map(({ cookie }) => [cookie, undefined]));
  return { session, devices: trustedDevice ? { ...removed, [device.cookie]: trustedDevice } : {} };
}

/**
 * Ends the caller's session, if any, and whatever its account has begun in this browser, for any purpose (S37): the next
 * session here could use a code or a challenge that is left, and a password code would even work signed out. A pending
 * session leaves the code of its sign-in: without the password it is worth nothing, and a double submit, of which one
 * is refused and signed out, would be sent a second one (S27).
 */
export async function signOut(deps: Dependencies, caller: Caller): Promise<Outcome<undefined>> {
  const { session, browser } = caller;
  if (session === undefined) return done(undefined);
  await deps.store.write(async (tx) => {
    const open = await tx
      .selectFrom("sessions")
      .select(["account_id", "state"])
      .where("id", "=", tokenHash(session))
      .executeTakeFirst();
    if (!open) return;
    // Lock the account first, as a confirm does, so that the two never deadlock.
    await lockAccount(tx, open.account_id);
    const accountId = await endSession(tx, caller);
    if (accountId === undefined) return;
    const now = deps.clock();
    const here = { operator: "=", token: browser } as const;
    if (open.state === "active") await expireCodes(tx, { subject: accountId, browser: here }, now);
    await forgetChallenges(tx, accountId, browser);
    await audit(tx, caller, now, { event: "signed-out", accountId });
  });
  return done(undefined);
}
