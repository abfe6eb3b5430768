import { z } from "zod";
import { type CallName, ofPolicyNo, ofUsername, registrant } from "~/contract/calls.server";
import { usernameKey } from "~/contract/rules";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import { addressBucket } from "~/platform/network/client-address";
import { MINUTE } from "~/platform/time.server";
import { type Caller, countRateLimitedConfirm, countRateLimitedSignIn } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import { findResetting } from "../accounts/password-reset.server";
import { findRegistering } from "../accounts/registration.server";
import { findReminded } from "../accounts/username-reminder.server";
import { type CodeHolder, refuseInvalidConfirm } from "../codes/confirm.server";
import { spend } from "../limits/windows.server";
import { isActive, isKnownToAnyone, type Session } from "../sign-in/sessions.server";
import type { Tx } from "../store/store.server";

// Rate limits that apply before a call is handled, whatever it contains.

/** A payload as sent, unchecked: any field may be missing or have any type. */
export type Sent = Readonly<Record<string, unknown>>;

/** Rate-limits calls that strangers can make, by address. */
export async function limitByAddress(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  payload: Sent,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  if (name !== "passkeySignInInit") return limitOpenConfirm(deps, caller, name, payload, session);
  // An answer needs one of these, so it is not counted again.
  const refusal = await spendForCaller(deps, caller, {
    what: "passkey-sign-ins",
    most: deps.limits.ADDRESS_SIGN_INS_PER_10_MINUTES,
  });
  if (refusal) countRateLimitedSignIn();
  return refusal;
}

/**
 * Counts a confirm of an open journey for the caller's address, and refuses it if there were too many (S110). This
 * comes before any look-up, whatever the confirm contains. Signed-in customers who change their own password are not
 * counted.
 */
async function limitOpenConfirm(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  { username }: Sent,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  const confirm = CONFIRMS[name];
  if (!confirm?.owner || isOwnPassword(username, session)) return undefined;
  const refusal = await spendForCaller(deps, caller, {
    what: "confirms",
    most: deps.limits.ADDRESS_CONFIRMS_PER_10_MINUTES,
  });
  if (refusal) countRateLimitedConfirm(confirm.purpose);
  return refusal;
}

/** A rate limit per ten minutes. */
interface RateLimit {
  readonly what: string;
  readonly most: number;
}

/** Others at the same address may use up all of it. A known browser then has the same number of its own (S107). */
async function spendForCaller(deps: Dependencies, caller: Caller, { what, most }: RateLimit) {
  const refusal = await spendOne(deps, `${what}|address|${addressBucket(caller.address)}`, most);
  if (!refusal || !(await isKnownToAnyone(deps.store.read, caller, deps.clock()))) return refusal;
  return spendOne(deps, `${what}|browser|${tokenHash(caller.browser)}`, most);
}

async function spendOne(deps: Dependencies, bucket: string, most: number): Promise<Refusal | undefined> {
  const { fullWindows, store } = deps;
  const now = deps.clock();
  const known = fullWindows.refusal(bucket, now);
  if (known) return known;
  const cap = { bucket, most, lengthMs: 10 * MINUTE };
  const refusal = await store.write((tx) => spend(tx, cap, now));
  if (refusal?.kind === "rate-limited") fullWindows.remember(bucket, refusal.retryAfterSeconds, now);
  return refusal;
}

function isOwnPassword(username: unknown, session: Session | undefined): boolean {
  if (typeof username !== "string" || !session || !isActive(session)) return false;
  return usernameKey(session.username) === usernameKey(username);
}

type Subject = Pick<CodeHolder, "subject">;

/** A confirm, and how to find the owner of its code, as far as a broken payload allows. */
interface Confirm {
  readonly purpose: Purpose;
  /** The fields that name the owner, if no session does. */
  readonly owner?: z.ZodRawShape;
  readonly find: (
    tx: Tx,
    deps: Dependencies,
    caller: Caller,
    sent: Sent,
    session: Session | undefined,
  ) => Promise<Subject | undefined>;
}

/** A confirm by the customer who is signed in. */
function confirmInSession(purpose: Purpose): Confirm {
  return {
    purpose,
    find: (_tx, _deps, _caller, _sent, session) => Promise.resolve(session && { subject: session.accountId }),
  };
}

/** A confirm that needs no password: its fields name the owner. */
function openConfirm<Owner extends z.ZodRawShape>(
  purpose: Purpose,
  owner: Owner,
  find: (tx: Tx, deps: Dependencies, caller: Caller, owner: z.output<z.ZodObject<Owner>>) => Promise<Subject>,
): Confirm {
  return {
    purpose,
    owner,
    find: async (tx, deps, caller, sent) => {
      const named = z.object(owner).safeParse(sent);
      return named.success ? find(tx, deps, caller, named.data) : undefined;
    },
  };
}

const CONFIRMS: Partial<Record<CallName, Confirm>> = {
  activateSessionConfirm: confirmInSession("login"),
  loginChangeConfirm: confirmInSession("usernameChange"),
  documentPasswordConfirm: confirmInSession("documentPassword"),
  registerConfirm: openConfirm("register", registrant, findRegistering),
  passwordResetConfirm: openConfirm("password", ofUsername, (tx, deps, caller, { username }) =>
    findResetting(tx, deps, caller, username),
  ),
  loginRemindConfirm: openConfirm("usernameRemind", ofPolicyNo, (tx, deps, caller, { policyNo }) =>
    findReminded(tx, deps, caller, policyNo),
  ),
};

/** Whether a field of a call names the owner of its code. */
export function isOwnerField(name: CallName, field: string): boolean {
  return Object.hasOwn(CONFIRMS[name]?.owner ?? {}, field);
}

/** Counts a confirm that breaks its schema as a refusal of the caller's code, whatever code was typed. */
export async function countInvalidConfirm(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  sent: Sent,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  const confirm = CONFIRMS[name];
  if (!confirm) return undefined;
  const { purpose, find } = confirm;
  return deps.store.write(async (tx) => {
    const owner = await find(tx, deps, caller, sent, session);
    return (
      owner && refuseInvalidConfirm(tx, deps, { subject: owner.subject, purpose, browser: caller.browser })
    );
  });
}
