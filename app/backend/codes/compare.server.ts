import type { Method } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import { done, invalid, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { readCode } from "~/contract/rules";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { sameHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import { type Factors, isTheirRecoveryCode, secretOf, type ProofOptions } from "../factors/factors.server";
import { noteRightFactor, noteWrongGuess } from "../factors/guesses.server";
import {
  type CheckedAnswer,
  compareChallenge,
  consumeChallenge,
  type Passkey,
  usePasskey,
} from "../factors/passkeys.server";
import { stepOfCode } from "../factors/totp.server";
import type { SignedAnswer } from "../factors/webauthn.server";
import { codeMac, isOpen, type LockedCode, refusalOfClosed } from "./code-rows.server";
import { countTry, type CountedTry, giveTryBack, guesserOf, type Prover } from "./tries.server";

/** A proof as it was given: a code as typed, or the answer of a passkey, checked before the transaction. */
export type GivenProof =
  | { readonly method: Exclude<Method, "passkey">; readonly code: string }
  | { readonly method: "passkey"; readonly checked: CheckedAnswer | undefined };

/** A right proof. `id` is the row in `codes` that counted its try; a repeated confirm finds the proof there again. */
export interface RightProof {
  readonly id: string;
  readonly keyVersion: number;
  readonly purpose: Purpose;
  readonly subject: string;
  /** What the proof uses up besides its row; undefined for a code by SMS. */
  readonly uses?: Used | undefined;
}

/** The step, challenge or code that works only once. */
type Used =
  | { readonly of: "app"; readonly id: string; readonly step: number }
  | { readonly of: "passkey"; readonly passkey: Passkey; readonly signed: SignedAnswer }
  | { readonly of: "recovery"; readonly code: string };

/** `used`: a code of an app that was used before. `over`: an earlier or expired challenge. Neither costs a try. */
type Verdict = { readonly is: "right"; readonly uses?: Used } | { readonly is: "wrong" | "used" | "over" };

/**
 * Compares a proof of any method. The try is counted first, and given back if the proof is right. The effect uses up
 * the proof (`useUp`). Refusals that cost no try: 422 on `method` or `response`, 010 without a code to compare, and the
 * refusals of `countTry`. Wrong: 007; the last wrong try: 016.
 * @param row the owner's row in `codes`, locked
 */
export async function compareProof(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  prover: Prover,
  row: LockedCode | undefined,
  given: GivenProof,
): Promise<Outcome<RightProof>> {
  const unusable = refusalOfProof(prover.proofOptions, given);
  if (unusable) return unusable;
  if (given.method === "sms" && !isOpen(row, deps.clock())) return refusalOfClosed(row);
  const counting = await countTry(tx, deps, prover, given.method, row);
  if (counting.kind !== "done") return counting;
  const counted = counting.value;
  const verdict = await verdictOn(tx, deps, prover, counted.row, given);
  const now = deps.clock();
  const { accountId, purpose, subject } = prover;
  const about = accountId === undefined ? { subject, purpose } : { accountId, purpose };
  switch (verdict.is) {
    case "wrong": {
      const isLast = counted.row.state === "blocked";
      await audit(tx, caller, now, { event: isLast ? "code-blocked" : "code-wrong", ...about });
      const guesser = guesserOf(prover);
      if (guesser && counted.guess) await noteWrongGuess(tx, deps, caller, guesser, counted.guess);
      return refused(isLast ? "016" : "007");
    }
    case "over":
      await giveTryBack(tx, deps, prover, counted);
      return refused("010");
    case "used":
      await giveTryBack(tx, deps, prover, counted);
      await audit(tx, caller, now, { event: "code-wrong", ...about, reason: "used before" });
      return refused("007");
    case "right": {
      const { guess, ...browserAndDay } = counted;
      await giveTryBack(tx, deps, prover, browserAndDay);
      const guesser = guesserOf(prover);
      if (guesser) await noteRightFactor(tx, deps, guesser, given.method, guess);
      await audit(tx, caller, now, { event: "code-right", ...about });
      const { id, key_version: keyVersion } = counted.row;
      return done({ id, keyVersion, purpose, subject, uses: verdict.uses });
    }
  }
}

/** The refusal of a proof about method the account can't use, or that lacks its answer. */
export function refusalOfProof({ methods }: ProofOptions, given: GivenProof): Refusal | undefined {
  if (!methods.includes(given.method)) return invalid("method");
  return given.method === "passkey" && !given.checked ? invalid("response") : undefined;
}

async function verdictOn(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  row: CountedTry["row"],
  given: GivenProof,
): Promise<Verdict> {
  const { keyring } = deps;
  const { factors } = prover.proofOptions;
  switch (given.method) {
    case "sms": {
      const mac = codeMac(keyring, row.key_version, prover, row.id, readCode(given.code));
      return { is: sameHash(mac, row.code_mac) ? "right" : "wrong" };
    }
    case "recovery": {
      const { code } = given;
      const isRight = isTheirRecoveryCode(keyring, factors, code);
      return isRight ? { is: "right", uses: { of: "recovery", code } } : { is: "wrong" };
    }
    case "app":
      return verdictOnApp(deps, factors, readCode(given.code));
    case "passkey":
      return verdictOnPasskey(tx, deps, prover, given.checked);
  }
}

function verdictOnApp({ keyring, clock }: Dependencies, { apps }: Factors, code: string): Verdict {
  let verdict: Verdict = { is: "wrong" };
  for (const app of apps) {
    const step = stepOfCode(secretOf(keyring, app), code, clock());
    if (step === undefined) continue;
    if (step > app.last_step) return { is: "right", uses: { of: "app", id: app.id, step } };
    verdict = { is: "used" };
  }
  return verdict;
}

/** A wrong answer uses up its challenge. */
async function verdictOnPasskey(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  { challenge, right: signed }: Partial<CheckedAnswer> = {},
): Promise<Verdict> {
  const challenged = await compareChallenge(tx, deps, prover, challenge);
  if (challenged === "over") return { is: "over" };
  const passkey = prover.proofOptions.factors.passkeys.find(({ id }) => id === signed?.passkeyId);
  if (challenged === "valid" && signed && passkey)
    return { is: "right", uses: { of: "passkey", passkey, signed } };
  await consumeChallenge(tx, prover);
  return { is: "wrong" };
}

/** Whether a right proof can still be used: another request may have used it up before this one locked the account's row again. */
export function isStillRight(
  { keyring }: Dependencies,
  { factors }: ProofOptions,
  { uses }: RightProof,
): boolean {
  switch (uses?.of) {
    case undefined:
      return true;
    case "app":
      return factors.apps.some(({ id, last_step }) => id === uses.id && uses.step > last_step);
    case "passkey":
      return factors.passkeys.some(({ id }) => id === uses.passkey.id);
    case "recovery":
      return isTheirRecoveryCode(keyring, factors, uses.code);
  }
}

/**
 * Uses up a right proof's step or challenge, in the transaction of its effect. A recovery code is replaced elsewhere.
 * @throws Error if the step has been used: the effect is rolled back
 */
export async function useUp(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { uses, ...proof }: RightProof,
): Promise<void> {
  switch (uses?.of) {
    case "app":
      return useStep(tx, deps, uses);
    case "passkey":
      await consumeChallenge(tx, { ...proof, browser: caller.browser });
      return usePasskey(tx, deps, caller, uses.passkey, uses.signed);
    default:
  }
}

/** Uses a step once, for any purpose. Does nothing for an app that its own code has just removed. */
async function useStep(
  tx: Tx,
  { clock }: Dependencies,
  { id, step }: Extract<Used, { of: "app" }>,
): Promise<void> {
  const used = await tx
    .updateTable("factors")
    .set({ last_step: step, last_used_at: clock() })
    .where("id", "=", id)
    .where("last_step", "<", step)
    .returning("id")
    .executeTakeFirst();
  if (used) return;
  const left = await tx.selectFrom("factors").select("id").where("id", "=", id).executeTakeFirst();
  if (left) throw new Error("a step that was right has been used");
}
