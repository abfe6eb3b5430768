import type { CallResponse } from "~/contract/calls.server";
import type { Method, PasskeyAnswer } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import { done, type Outcome, type Refusal, refused, SIGNED_OUT } from "~/contract/refusal.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import type { Tx } from "../../store/store.server";
import { lockAccount, type LockedAccount } from "../accounts/customers.server";
import type { RightCode } from "../codes/code-rows.server";
import type { CodeHolder, Confirm } from "../codes/confirm.server";
import { type CodeSent, sendOwnCode } from "../codes/send-code.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession, Session } from "../sign-in/sessions.server";
import { compareFactor, type FactorAnswer, refusalIfBlocked } from "./compare.server";
import {
  deriveRecoveryCode,
  type Factors,
  factorsOf,
  isTheirRecoveryCode,
  keepRecoveryCode,
  noFactors,
  signInMethods,
} from "./factors.server";
import { askPasskeys, checkAnswer } from "./passkeys.server";
import { relyingParty } from "./relying-party.server";

// All that a session confirms, it confirms like this: its sign-in, a change of factors, and changes of password, username
// and document password.

/** Refuses a field, and keeps the proof. */
export const invalid = (field: string): Refusal => ({ kind: "invalid", fields: [field] });

/** What was sent to confirm something. Without a method it is a code by SMS. */
export interface Proof {
  readonly method?: Method | undefined;
  readonly code?: string | undefined;
  readonly response?: PasskeyAnswer | undefined;
}

/** What is to be confirmed, and how. */
interface Asking {
  readonly purpose: Purpose;
  readonly method: Method;
  readonly factors: Factors;
  readonly resend?: boolean | undefined;
}

/**
 * Begins to confirm something in one way: sends a code, or draws a challenge; an app and a recovery code need nothing.
 * Refusals: those of sending, and 429 while nothing can be compared.
 */
export async function askFor(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  { purpose, method, factors, resend }: Asking,
): Promise<Outcome<CodeSent>> {
  if (method === "sms") return sendOwnCode(tx, deps, caller, session, { purpose, resend });
  const { accountId, isKnownBrowser } = session;
  const owner = { subject: accountId, accountId, purpose, browser: caller.browser, isKnownBrowser };
  const blocked = await refusalIfBlocked(tx, deps, owner, method);
  if (blocked) return blocked;
  const rp = relyingParty(deps, caller);
  if (method !== "passkey" || !rp) return done({});
  return done({ options: await askPasskeys(tx, deps, owner, rp, factors.passkeys) });
}

/** An account's ways to confirm. Undefined factors: it has none, and nothing but the SMS confirms. */
export interface Ways {
  readonly factors: Factors | undefined;
  /** Whether wrong codes by SMS count with those of the factors (`CodeHolder`). */
  readonly countsGuesses: boolean;
  readonly methods: readonly Method[];
}

/** The ways of an account without factors, and of whoever is signed out. */
const BY_SMS: Ways = { factors: undefined, countsGuesses: false, methods: ["sms"] };

/** How an account can confirm now, besides a change of factors. Its row is locked. */
export async function waysOf(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  account: Pick<LockedAccount, "accountId" | "hasFactors">,
): Promise<Ways> {
  if (!account.hasFactors) return BY_SMS;
  const factors = await factorsOf(tx, account.accountId);
  return { factors, countsGuesses: true, methods: signInMethods(factors, relyingParty(deps, caller)) };
}

/** What a confirmation begins with: the ways to confirm, if there is more than the SMS. */
type Begun = CallResponse<"activateSessionInit">;

/**
 * Begins to confirm something in the way that was asked for, or else the first of the account's. Refusals: those of
 * `askFor`, and 422 on `method` for a way that the account can't use.
 */
export async function beginBy(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  asking: Omit<Ways, "countsGuesses"> &
    Omit<Asking, "method" | "factors"> & { readonly asked: Method | undefined },
): Promise<Outcome<Begun>> {
  const { factors, methods, asked } = asking;
  const method = asked ?? methods[0] ?? "recovery";
  if (!methods.includes(method)) return invalid("method");
  const usable = factors ?? noFactors(session.accountId);
  const begun = await askFor(tx, deps, caller, session, { ...asking, method, factors: usable });
  if (begun.kind !== "done" || factors === undefined) return begun;
  return done({ ...begun.value, methods: [...methods], method });
}

/** Begins to confirm a change that isn't one of factors. Refusals: those of `beginBy`. */
export async function startProof(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: ActiveSession,
  { purpose, method: asked, resend }: Pick<Asking, "purpose" | "resend"> & Pick<Proof, "method">,
): Promise<Outcome<Begun>> {
  const account = await lockAccount(tx, session.accountId);
  if (!account) return SIGNED_OUT;
  const ways = await waysOf(tx, deps, caller, account);
  return beginBy(tx, deps, caller, session, { ...ways, purpose, asked, resend });
}

/** Stands for a passkey's answer that can't be checked: without one, or after the session has ended. */
const NOTHING = { challenge: undefined, right: undefined };

/**
 * The code of a factor, or what a passkey says, checked before the transaction. Undefined for a code by SMS.
 * @param accountId undefined without a session: the confirm is a repeat, or it is refused
 */
export async function typedFactor(
  deps: Dependencies,
  caller: Caller,
  accountId: string | undefined,
  { method = "sms", code = "", response }: Proof,
): Promise<FactorAnswer | undefined> {
  if (method === "sms") return undefined;
  if (method !== "passkey") return { method, code };
  if (accountId === undefined || !response) return { method, checked: NOTHING };
  return { method, checked: await checkAnswer(deps, relyingParty(deps, caller), accountId, response) };
}

/** Whose proof it is. */
type Proving = CodeHolder & Ways & { readonly accountId: string };

/** How a confirm compares a factor; undefined for a code by SMS. */
export function comparing(
  deps: Dependencies,
  caller: Caller,
  purpose: Purpose,
  typed: FactorAnswer | undefined,
): ((tx: Tx, owner: Proving) => Promise<Outcome<RightCode>>) | undefined {
  return (
    typed &&
    ((tx, { factors, ...owner }) => {
      const mayUseSms = owner.methods.includes("sms");
      const whose = { ...owner, purpose, browser: caller.browser, mayUseSms };
      return factors
        ? compareFactor(tx, deps, caller, { ...whose, factors }, typed)
        : Promise.resolve(invalid("method"));
    })
  );
}

/** The refusal of a proof whose method the account can't use, or that lacks its answer. It costs no try. */
export function refusalOfProof({ methods }: Ways, { method = "sms", response }: Proof): Refusal | undefined {
  if (!methods.includes(method)) return invalid("method");
  return method === "passkey" && !response ? invalid("response") : undefined;
}

/** The answer to a confirm: with a new recovery code after one was used. */
export interface MayRenew {
  readonly recoveryCode?: string;
}

/** The recovery code that replaces a used one. It is derived, so that a repeat gives the same. */
export function renewedRecoveryCode(
  { keyring }: Dependencies,
  { browser }: Caller,
  { id, keyVersion }: RightCode,
  { method }: Proof,
): MayRenew {
  return method === "recovery"
    ? { recoveryCode: deriveRecoveryCode(keyring, keyVersion, [id, browser]) }
    : {};
}

/** A recovery code works once: a new one replaces it. Whoever has lost a device may have lost a trusted one. */
export async function useRecoveryCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId }: Pick<Session, "accountId" | "customerId">,
  next: string,
): Promise<void> {
  await keepRecoveryCode(tx, deps, accountId, next);
  await tx.deleteFrom("trusted_devices").where("account_id", "=", accountId).execute();
  await audit(tx, caller, deps.clock(), { event: "recovery-code-used", accountId });
  await notify(tx, deps, caller, { event: "recovery-code-used", customerId });
}

/** A confirm without what compares its code. */
type Unproven<Owner extends CodeHolder, Value, Work> = Omit<
  Confirm<Owner, Value, Work>,
  "code" | "compare" | "payload"
> & { readonly payload: Readonly<Record<string, unknown>> };

/** The owner of a code, and their account; undefined for details that match no customer. */
type Holding = CodeHolder & { readonly account: LockedAccount | undefined };

/**
 * A confirm that takes every way of the account, if it is made in a session. Without one it takes a code by SMS; any
 * other method is 422, whether or not there is such an account.
 */
export async function withProof<Owner extends Holding, Value extends object, Work = undefined>(
  deps: Dependencies,
  caller: Caller,
  session: ActiveSession | undefined,
  proof: Proof,
  confirm: Unproven<Owner, Value, Work>,
): Promise<Confirm<Owner & Ways, Value & MayRenew, Work>> {
  const { code = "" } = proof;
  const typed = await typedFactor(deps, caller, session?.accountId, proof);
  const compare = comparing(deps, caller, confirm.purpose, typed);
  return {
    ...confirm,
    code,
    payload: asTexts(confirm.payload),
    findOwner: async (tx) => {
      const found = await confirm.findOwner(tx);
      if (found.kind !== "done") return found;
      const { account } = found.value;
      const ways = session && account ? await waysOf(tx, deps, caller, account) : BY_SMS;
      return refusalOfProof(ways, proof) ?? done({ ...found.value, ...ways });
    },
    compare: compare && ((tx, owner) => compare(tx, { ...owner, accountId: owner.accountId ?? "" })),
    effect: async (tx, owner, right, work) => {
      const renewed = renewedRecoveryCode(deps, caller, right, proof);
      const { factors, account } = owner;
      // Another browser may have used it while a password was hashed.
      if (
        renewed.recoveryCode !== undefined &&
        !(factors && isTheirRecoveryCode(deps.keyring, factors, code))
      )
        return refused("007");
      const ended = await confirm.effect(tx, owner, right, work);
      if (ended.kind !== "done") return ended;
      if (renewed.recoveryCode !== undefined && account)
        await useRecoveryCode(tx, deps, caller, account, renewed.recoveryCode);
      return done({ ...ended.value, ...renewed });
    },
    repeat: async (tx, right) => ({
      ...(await confirm.repeat(tx, right)),
      ...renewedRecoveryCode(deps, caller, right, proof),
    }),
  };
}

/** A confirm's fields as texts, to tell a repeated one from another. */
export function asTexts(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}
