import { readPassword } from "~/contract/rules";
import { done, type Outcome, type Refusal, refused, SIGNED_OUT, TOO_BUSY } from "~/contract/refusal.server";
import { addressBucket } from "~/platform/network/client-address";
import { DAY, MINUTE, secondsUntil } from "~/platform/time.server";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Method } from "~/contract/factors.server";
import { audit, type Caller, countRateLimitedSignIn } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { BUSY, type PasswordHash, type QueuePlace } from "../../secrets/passwords.server";
import { tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { AccountState } from "../../store/tables.server";
import {
  blockedUntil,
  browserSubject,
  deviceSubject,
  forgetAttempts,
  giveAttemptBack,
  lookAtWindow,
  reserveAttempt,
  type ReservedAttempt,
  signInPolicy,
  takeShared,
  usernameSubject,
  type WindowCap,
} from "../counting.server";
import {
  type Account,
  findAccount,
  lockAccount,
  type LockedAccount,
  type NamedAccount,
} from "../accounts/customers.server";
import { compareFactor, refusalIfBlocked } from "../factors/compare.server";
import {
  deriveRecoveryCode,
  type Factors,
  factorsOf,
  keepRecoveryCode,
  noteSignIn,
  signInMethods,
} from "../factors/factors.server";
import { notify, notifyOfLock } from "../notices/notices.server";
import { expireCodes, type RightCode } from "../codes/code-rows.server";
import { confirmAtOnce, tokenOfConfirm } from "../codes/confirm.server";
import { sendOwnCode } from "../codes/send-code.server";
import {
  type PresentedDevice,
  presentedDevice,
  type SignInTokens,
  trustDevice,
  useDeviceToken,
} from "./trusted-devices.server";
import { endSession, isActive, rememberBrowser, type Session, startSession } from "./sessions.server";
import { takeSignInPass } from "./sign-in-passes.server";

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
  /** The account's trusted device, if the try came with its cookie. */
  readonly device: PresentedDevice | undefined;
}

/**
 * Checks username and password and starts a session: active on a trusted device or with a sign-in pass, otherwise
 * pending.
 *
 * Refusals: 101, which says if one more wrong password locks the account; 106 with a time for the wrong password that
 * locks it and while it is locked, told to anyone; 105, 106 and 108 for a state set by staff, told only after the right password; rate-limited; busy.
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

  const presented = await presentedDevice(tx, caller, now);
  const device = presented?.accountId === account?.accountId ? presented : undefined;
  const subject =
    device && !device.isReplayed ? deviceSubject(device.id) : (ownSubject ?? usernameSubject(deps, username));
  const reservation = await reserveAttempt(tx, signInPolicy(deps.limits), subject, now);
  if (reservation.kind === "blocked")
    await audit(tx, caller, now, { event: "sign-in-blocked", ...subjectOf({ account, subject }) });
  await takeShared(tx, [window.value], now);
  return reservation.kind === "blocked"
    ? refused("106", secondsUntil(reservation.until, now))
    : done({ reservation, subject, account, device });
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
  const tooMany = await lookAtWindow(tx, ofAddress, now);
  if (!tooMany || ownSubject === undefined) return tooMany ?? done(ofAddress);
  const ofBrowser = { bucket: ownSubject, ...allowed };
  return (await lookAtWindow(tx, ofBrowser, now)) ?? done(ofBrowser);
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
  const { device } = attempt;
  const trustedDevice = device && (await useDeviceToken(tx, deps, caller, { device, customerId }));
  const pass = trustedDevice ? undefined : await takeSignInPass(tx, deps, caller, accountId);
  if (pass?.isRepeated === true) return { session: pass.token, trustedDevice };
  await endSession(tx, caller);
  const needsCode = trustedDevice === undefined && pass === undefined;
  await audit(tx, caller, now, { event: needsCode ? "password-right" : "signed-in", accountId });
  if (!needsCode) await forgetAttempts(tx, attempt.subject);
  // The pass stands for the code of the reset.
  if (pass) await rememberBrowser(tx, deps, caller, accountId);
  const session = await startSession(tx, deps, caller, {
    accountId,
    state: needsCode ? "pending" : "active",
    startedAt: now,
    ...(pass && { token: pass.token }),
  });
  return { session, trustedDevice };
}

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
  return deps.store.write(async (tx) => {
    const found = await findActivating(tx, deps, caller, session);
    if (found.kind !== "done") return found;
    const { factors, methods } = found.value;
    const method = asked ?? methods[0] ?? "recovery";
    if (!methods.includes(method)) return NOT_USABLE;
    if (factors === undefined) return sendBySms(tx);
    const offered = { methods: [...methods], method };
    if (method !== "sms") {
      const owner = { subject: session.accountId, purpose: "login", browser: caller.browser } as const;
      const { isKnownBrowser } = session;
      return (await refusalIfBlocked(tx, deps, { ...owner, isKnownBrowser })) ?? done(offered);
    }
    const sent = await sendBySms(tx);
    return sent.kind === "done" ? done({ ...sent.value, ...offered }) : sent;
  });
}

/** Refuses a method that the account can't use. It costs no try. */
const NOT_USABLE: Refusal = { kind: "invalid", fields: ["method"] };

/** A pending session, and how it can be confirmed. */
interface Activating extends Session {
  readonly subject: string;
  /** Undefined for an account without any: then nothing but the SMS confirms. */
  readonly factors: Factors | undefined;
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
  const methods = factors ? signInMethods(factors) : (["sms"] as const);
  return done({ ...session, subject: session.accountId, factors, methods });
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
  const { authorizationCode: code, method = "sms" } = payload;
  return confirmAtOnce<Activating, Activated>(deps, caller, {
    purpose: "login",
    code,
    payload: { ...payload, method },
    findOwner: async (tx) => {
      if (session.kind !== "done") return session;
      const found = await findActivating(tx, deps, caller, session.value);
      if (found.kind === "done" && !found.value.methods.includes(method)) return NOT_USABLE;
      return found;
    },
    compare:
      method === "sms"
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
                  { method, code },
                )
              : Promise.resolve(NOT_USABLE),
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

/** Changes that a session can start. Their codes expire with it: a password code would even work signed out. */
const CHANGES = ["password", "usernameChange", "documentPassword"] as const;

/** Ends the caller's session, if any, and the changes under way in it. */
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
    if (open.state === "active")
      await expireCodes(tx, { subject: accountId, purposes: CHANGES, browser: here }, now);
    await audit(tx, caller, now, { event: "signed-out", accountId });
  });
  return done(undefined);
}
