import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readPassword, usernameKey } from "~/contract/rules";
import { done, invalid, type Outcome, refused, TOO_BUSY } from "~/contract/refusal.server";
import { orderedId, type Tx } from "../store/store.server";
import type { Dependencies } from "../dependencies.server";
import { BUSY, type PasswordHash } from "../secrets/passwords.server";
import { audit, type Caller } from "../audit/audit-event.server";
import { tokenHash } from "../secrets/keyring.server";
import type { RightProof } from "../codes/compare.server";
import { type CodeHolder, confirmWithWork, tokenOfConfirm } from "../codes/confirm.server";
import { sendCode } from "../codes/send-code.server";
import { countedAsVisitor } from "../limits/code-caps.server";
import { browserSubject, forgetAttempts, usernameSubject } from "../limits/attempts.server";
import { type ActiveSession, forgetOtherBrowsers, startSession } from "../sign-in/sessions.server";
import { giveSignInPass } from "../sign-in/sign-in-passes.server";
import { noteReset } from "../factors/factors.server";
import { type MayRenew, startProof, withProof } from "../factors/proof.server";
import { notify } from "../notices/notices.server";
import {
  type Account,
  findAccount,
  lockAccount,
  type LockedAccount,
  DECOY_ID,
  typedUsername,
  unknownSubject,
} from "../customers/customers.server";
import { recipientIfAny } from "../customers/phones.server";

/** Earlier passwords that a new one must differ from, newest first (013). */
async function passwordHistory(deps: Dependencies, accountId: string): Promise<PasswordHash[]> {
  return deps.store.read
    .selectFrom("password_history")
    .select(["password_hash as hash", "pepper_version as pepperVersion"])
    .where("account_id", "=", accountId)
    .orderBy("replaced_at", "desc")
    .orderBy("id", "desc")
    .limit(earlier(deps))
    .execute();
}

/** Adds the current password to the history before it is replaced, and deletes entries too old to matter. */
async function rememberPassword(tx: Tx, deps: Dependencies, account: Account, now: number): Promise<void> {
  const { accountId, password } = account;
  const values = {
    id: orderedId(now),
    account_id: accountId,
    password_hash: password.hash,
    pepper_version: password.pepperVersion,
    replaced_at: now,
  };
  await tx.insertInto("password_history").values(values).execute();
  await tx
    .deleteFrom("password_history")
    .where("account_id", "=", accountId)
    .where("id", "not in", (query) =>
      query
        .selectFrom("password_history")
        .select("id")
        .where("account_id", "=", accountId)
        .orderBy("replaced_at", "desc")
        .orderBy("id", "desc")
        .limit(earlier(deps)),
    )
    .execute();
}

/** How many earlier passwords count, besides the current one. */
function earlier({ limits }: Dependencies): number {
  return limits.PASSWORD_HISTORY - 1;
}

interface Resetting extends CodeHolder {
  readonly account: Account | undefined;
}

/** The same, with the account's row locked. */
interface LockedResetting extends Resetting {
  readonly account: LockedAccount | undefined;
}

/** The hash of the new password, and the current hash it was compared with. */
interface NewPassword {
  readonly hash: PasswordHash;
  readonly replaces: string;
}

/**
 * Sends the password reset code. The answer is the same for unknown usernames and for accounts in any state (S3). With
 * a session for this account, the answer may say where the code went, the caps for known visitors apply, and the account
 * may confirm the change with another method. Refusal: 422 on `method` if it can't be used.
 */
export async function startPasswordReset(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"passwordResetInit">,
  session: ActiveSession | undefined,
): Promise<Outcome<CallResponse<"passwordResetInit">>> {
  const own = ownSession(session, payload.username);
  const { method, resend } = payload;
  return deps.store.write<Outcome<CallResponse<"passwordResetInit">>>(async (tx) => {
    if (own) {
      const account = await lockAccount(tx, own.accountId);
      return startProof(tx, deps, caller, own, account, { purpose: "password", method, resend });
    }
    if (method !== undefined && method !== "sms") return invalid("method");
    const resetting = await findResetting(tx, deps, caller, payload.username);
    const sent = await sendCode(tx, deps, caller, {
      subject: resetting.subject,
      accountId: resetting.accountId,
      purpose: "password",
      countedAs: countedAsVisitor(resetting, typedUsername(deps.keyring, payload.username)),
      recipient: await recipientIfAny(tx, deps, resetting.account?.customerId),
      resend: resend === true,
    });
    return sent.kind === "done" ? done({}) : sent;
  });
}

/**
 * Sets a new password. Every other session and every trusted device of the account ends, and a timed lock is lifted.
 * Signed in, the session continues under a new token, which is returned; signed out, one sign-in from this browser
 * needs no code for a short time, and only a code by SMS confirms. Refusals: 013; 422 on `method`.
 */
export async function confirmPasswordReset(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"passwordResetConfirm">,
  session: ActiveSession | undefined,
): Promise<Outcome<SessionRenewed & MayRenew>> {
  const own = ownSession(session, payload.username);
  const { authorizationCode: code, method, response } = payload;
  const confirm = await withProof<LockedResetting, SessionRenewed, NewPassword>(
    deps,
    caller,
    own,
    { code, method, response },
    {
      purpose: "password",
      payload,
      findOwner: async (tx) => {
        const resetting = await findResetting(tx, deps, caller, payload.username);
        // Without a customer too, so that it takes as long (S108).
        const account = await lockAccount(tx, resetting.accountId ?? DECOY_ID);
        return done({ ...resetting, account });
      },
      effect: async (tx, { account }, code, changed) => {
        // Another browser has changed the password meanwhile, so the history that was compared is out of date.
        if (account?.password.hash !== changed.replaces) return TOO_BUSY;
        return done({
          session: await setPassword(tx, deps, caller, { account, own, code, password: changed.hash }),
        });
      },
      repeat: async (tx, code) => ({ session: await sessionOfConfirm(tx, deps, caller, code) }),
    },
  );
  return confirmWithWork(deps, caller, confirm, ({ account }) =>
    compareWithHistory(deps, caller, account, readPassword(payload.newPassword)),
  );
}

/** The token under which the session continues; undefined for a signed-out visitor. */
interface SessionRenewed {
  readonly session: string | undefined;
}

/** Finds the subject that a password reset code is kept under. */
export async function findResetting(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  username: string,
): Promise<Resetting> {
  const account = await findAccount(tx, { browser: caller.browser, now: deps.clock() }, username);
  const subject = account?.accountId ?? unknownSubject(typedUsername(deps.keyring, username));
  const isKnownBrowser = account?.isKnownBrowser === true;
  return { subject, accountId: account?.accountId, account, isKnownBrowser };
}

function ownSession(session: ActiveSession | undefined, username: string): ActiveSession | undefined {
  return session && usernameKey(session.username) === usernameKey(username) ? session : undefined;
}

/** Computes all hashes in parallel, so they take no longer than one. Only after the code was right (S81). */
async function compareWithHistory(
  deps: Dependencies,
  { arrivedAt }: Caller,
  account: Account | undefined,
  password: string,
): Promise<Outcome<NewPassword>> {
  if (!account) return refused("010");
  const known = [account.password, ...(await passwordHistory(deps, account.accountId))];
  const [hash, ...verdicts] = await Promise.all([
    deps.passwords.hash(password, arrivedAt),
    ...known.map((kept) => deps.passwords.verify(password, kept, arrivedAt)),
  ]);
  if (verdicts.some((verdict) => verdict === "right" || verdict === "outdated")) return refused("013");
  if (hash === BUSY || verdicts.includes(BUSY)) return TOO_BUSY;
  return done({ hash, replaces: account.password.hash });
}

interface Change {
  readonly account: LockedAccount;
  readonly own: ActiveSession | undefined;
  readonly code: RightProof;
  readonly password: PasswordHash;
}

async function setPassword(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  change: Change,
): Promise<string | undefined> {
  const { account, own, code, password } = change;
  const { accountId, customerId } = account;
  const now = deps.clock();
  const event = own ? "password-changed" : "password-reset";
  await rememberPassword(tx, deps, account, now);
  const values = { password_hash: password.hash, pepper_version: password.pepperVersion };
  await tx.updateTable("accounts").set(values).where("id", "=", accountId).execute();
  await audit(tx, caller, now, { event, accountId });
  await notify(tx, deps, caller, { event, customerId });

  const ended = await tx.deleteFrom("sessions").where("account_id", "=", accountId).returning("id").execute();
  await tx.deleteFrom("trusted_devices").where("account_id", "=", accountId).execute();
  await forgetAttempts(tx, usernameSubject(deps, account.username));
  await forgetAttempts(tx, browserSubject(accountId, tokenHash(caller.browser)));
  await forgetOtherBrowsers(tx, caller, accountId);
  if (own && ended.some(({ id }) => id === own.sessionId)) {
    const token = tokenOfConfirm(deps, caller, code, "session");
    const { startedAt, endsAt, deviceName, recoveredAt } = own;
    return startSession(tx, deps, caller, {
      accountId,
      state: "active",
      token,
      startedAt,
      endsAt,
      deviceName,
      recoveredAt,
    });
  }
  // A reset must not bypass a second factor.
  if (account.hasFactors) await noteReset(tx, accountId, now);
  else await giveSignInPass(tx, deps, caller, accountId);
  return undefined;
}

/** The session that a repeated confirm returns again; undefined if the first came from a signed-out visitor. */
async function sessionOfConfirm(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  code: RightProof,
): Promise<string | undefined> {
  const token = tokenOfConfirm(deps, caller, code, "session");
  const session = await tx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", tokenHash(token))
    .executeTakeFirst();
  return session && token;
}
