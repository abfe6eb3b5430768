import type { CallResponse } from "~/contract/calls.server";
import type { Method, PasskeyAnswer } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import { done, invalid, type Outcome, SIGNED_OUT } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { Tx } from "../store/store.server";
import type { LockedAccount } from "../customers/customers.server";
import type { GivenProof, RightProof } from "../codes/compare.server";
import type { CodeHolder, Confirm } from "../codes/confirm.server";
import { sendOwnCode } from "../codes/send-code.server";
import { refusalIfBlocked } from "../codes/tries.server";
import { notify } from "../notices/notices.server";
import type { Session } from "../sign-in/sessions.server";
import { deriveRecoveryCode, keepRecoveryCode, proofOptionsOf } from "./factors.server";
import { askPasskeys, checkAnswer } from "./passkeys.server";
import { relyingParty } from "./relying-party.server";

// All that a session confirms, it confirms like this: its sign-in, a change of factors, and changes of password, username
// and document password.

/** A proof as sent. Without a method it is a code by SMS. */
export interface Proof {
  readonly method?: Method | undefined;
  readonly code?: string | undefined;
  readonly response?: PasskeyAnswer | undefined;
}

/** The purpose of a proof, and the method requested for it. */
interface ProofRequest {
  readonly purpose: Purpose;
  readonly method: Method | undefined;
  readonly resend: boolean | undefined;
}

/** The start of a confirmation: the methods, if there are others than SMS. */
type Begun = CallResponse<"activateSessionInit">;

/**
 * Begins a proof with the requested method, or else the account's first: sends a code, or draws a challenge; an app and a
 * recovery code need nothing. The default for a change of factors is SMS. Refusals: those of sending, 429 while nothing
 * can be compared, and 422 on `method` if the account can't use it.
 * @param account its row, locked
 */
export async function startProof(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Session,
  account: LockedAccount | undefined,
  { purpose, method: requested, resend }: ProofRequest,
): Promise<Outcome<Begun>> {
  if (!account) return SIGNED_OUT;
  const proofOptions = await proofOptionsOf(tx, deps, caller, account, purpose);
  const { factors, methods } = proofOptions;
  const ofFactors = purpose === "factors";
  const method = requested ?? (ofFactors ? "sms" : (methods[0] ?? "recovery"));
  if (!methods.includes(method)) return invalid("method");
  const named = factors.settings === null || ofFactors ? {} : { methods: [...methods], method };
  if (method === "sms") {
    const sent = await sendOwnCode(tx, deps, caller, session, { purpose, resend });
    return sent.kind === "done" ? done({ ...sent.value, ...named }) : sent;
  }
  const { accountId, isKnownBrowser } = session;
  const prover = {
    subject: accountId,
    accountId,
    purpose,
    browser: caller.browser,
    isKnownBrowser,
    proofOptions,
  };
  const blocked = await refusalIfBlocked(tx, deps, prover, method);
  if (blocked) return blocked;
  const rp = relyingParty(deps, caller);
  if (method !== "passkey" || !rp) return done(named);
  return done({ options: await askPasskeys(tx, deps, prover, rp, factors.passkeys), ...named });
}

/**
 * Reads a proof, and checks what a passkey says, before the transaction.
 * @param accountId undefined without a session: the confirm is a repeat, or it is refused
 */
export async function readProof(
  deps: Dependencies,
  caller: Caller,
  accountId: string | undefined,
  { method = "sms", code = "", response }: Proof,
): Promise<GivenProof> {
  if (method !== "passkey") return { method, code };
  if (accountId === undefined || !response) return { method, checked: undefined };
  return { method, checked: await checkAnswer(deps, relyingParty(deps, caller), accountId, response) };
}

/** The answer to a confirm: with a new recovery code after one was used. */
export interface MayRenew {
  readonly recoveryCode?: string;
}

/** The recovery code that replaces a used one. It is derived, so that a repeat gives the same. */
export function renewedRecoveryCode(
  { keyring }: Dependencies,
  { browser }: Caller,
  { id, keyVersion }: RightProof,
  { method }: Proof,
): MayRenew {
  return method === "recovery"
    ? { recoveryCode: deriveRecoveryCode(keyring, keyVersion, [id, browser]) }
    : {};
}

/** A recovery code works once: a new one replaces it. A lost device may be a trusted one, so trust in all ends. */
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

/** The owner of a code, and their account; undefined for details that match no customer. */
type Holding = CodeHolder & { readonly account: LockedAccount | undefined };

/**
 * A confirm that takes every method of the account, if it is made in a session. Without a session it takes a code by SMS; any
 * other method is 422, whether or not there is such an account.
 */
export async function withProof<Owner extends Holding, Value extends object, Work = undefined>(
  deps: Dependencies,
  caller: Caller,
  session: Session | undefined,
  proof: Proof,
  confirm: Omit<Confirm<Owner, Value, Work>, "proof">,
): Promise<Confirm<Owner, Value & MayRenew, Work>> {
  return {
    ...confirm,
    proof: await readProof(deps, caller, session?.accountId, proof),
    findOwner: async (tx) => {
      const found = await confirm.findOwner(tx);
      if (found.kind !== "done" || !found.value.account || !session) return found;
      const proofOptions = await proofOptionsOf(tx, deps, caller, found.value.account, confirm.purpose);
      return done({ ...found.value, proofOptions });
    },
    effect: async (tx, owner, right, work) => {
      const ended = await confirm.effect(tx, owner, right, work);
      if (ended.kind !== "done") return ended;
      const renewed = renewedRecoveryCode(deps, caller, right, proof);
      if (renewed.recoveryCode !== undefined && owner.account)
        await useRecoveryCode(tx, deps, caller, owner.account, renewed.recoveryCode);
      return done({ ...ended.value, ...renewed });
    },
    repeat: async (tx, right) => ({
      ...(await confirm.repeat(tx, right)),
      ...renewedRecoveryCode(deps, caller, right, proof),
    }),
  };
}
