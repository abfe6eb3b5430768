import { sql } from "kysely";
import type { Method } from "~/contract/factors.server";
import { readCode } from "~/contract/rules";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { MINUTE, SECOND, secondsUntil } from "~/platform/time.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { newToken, tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import {
  type CodeOwner,
  codePolicy,
  codeSubject,
  newCodeRow,
  ownerColumns,
  type RightCode,
  UsedMeanwhile,
} from "../codes/code-rows.server";
import { giveAttemptBack, reserveAttempt } from "../counting.server";
import { type Factors, isTheirRecoveryCode, secretOf } from "./factors.server";
import {
  countGuess,
  giveGuessBack,
  type Guesser,
  noteRightFactor,
  noteWrongGuess,
  refusalIfStopped,
} from "./guesses.server";
import { type CheckedAnswer, compareChallenge, consumeChallenge, usePasskey } from "./passkeys.server";
import { stepOfCode } from "./totp.server";

/** A code of an app, a recovery code, as typed, or what a passkey says. */
export type FactorAnswer =
  | { readonly method: "app" | "recovery"; readonly code: string }
  | { readonly method: "passkey"; readonly checked: CheckedAnswer };

/** Whose code it is. All methods share one count of wrong tries, that of the one-time code's row. */
interface FactorOwner extends CodeOwner {
  readonly accountId: string;
  readonly isKnownBrowser: boolean;
  readonly factors: Factors;
  /** Whether a new code by SMS could end a block. */
  readonly mayUseSms: boolean;
}

/**
 * Compares the code of a factor, or the answer of a passkey. The try is counted first, in one statement for each count:
 * of fifty at once, at most five are compared (S21). A right one gives its try back, and ends what wrong ones before it
 * have stopped. So does one that was used a moment ago: it is no guess (S155). Refusals: 007, 016, and 429 after too
 * many wrong tries, which passkeys don't count among: nobody can guess what one signs.
 */
export async function compareFactor(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  owner: FactorOwner,
  typed: FactorAnswer,
): Promise<Outcome<RightCode>> {
  if (typed.method === "passkey") return comparePasskey(tx, deps, caller, owner, typed.checked);
  const guess = await countGuess(tx, deps, owner);
  if (guess.kind !== "counted") return guess;
  const policy = codePolicy(deps.limits);
  const today = await reserveAttempt(tx, policy, dayOf(owner), deps.clock());
  const counted = await countTry(tx, deps, owner);
  const verdict = counted ? compareCode(deps, owner, typed) : "not-compared";
  if (counted && verdict === "wrong") {
    const refusal = await judge(tx, deps, caller, owner, counted, undefined);
    await noteWrongGuess(tx, deps, caller, owner, guess);
    return refusal;
  }
  await giveAttemptBack(tx, policy, today);
  if (counted && typeof verdict === "function") {
    await noteRightFactor(tx, deps, owner, typed.method, guess);
    return judge(tx, deps, caller, owner, counted, verdict);
  }
  await giveGuessBack(tx, deps, owner, guess);
  if (!counted) return refused("016");
  await giveTryBack(tx, deps, counted);
  const { accountId, purpose } = owner;
  await audit(tx, caller, deps.clock(), { event: "code-wrong", accountId, purpose, reason: USED_BEFORE });
  return refused("007");
}

/** In the audit: it was a right code once. */
const USED_BEFORE = "used before";

/** A challenge that has been used, or is too old, costs no try; one that is answered wrongly is used up. */
async function comparePasskey(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  owner: FactorOwner,
  { challenge, right }: CheckedAnswer,
): Promise<Outcome<RightCode>> {
  const counted = await countTry(tx, deps, owner);
  if (!counted) return refused("016");
  const challenged = await compareChallenge(tx, deps, owner, challenge);
  if (challenged === "over") {
    await giveTryBack(tx, deps, counted);
    return refused("010");
  }
  const passkey = owner.factors.passkeys.find(({ id }) => id === right?.passkeyId);
  const isRight = challenged === "valid" && right !== undefined && passkey !== undefined;
  if (!isRight) await consumeChallenge(tx, owner);
  const spend = async (then: Tx) => {
    if (!isRight) return;
    await consumeChallenge(then, owner);
    await usePasskey(then, deps, caller, passkey, right);
  };
  if (isRight) await noteRightFactor(tx, deps, owner, "passkey", undefined);
  return judge(tx, deps, caller, owner, counted, isRight ? spend : undefined);
}

type Counted = NonNullable<Awaited<ReturnType<typeof countTry>>>;

/** Refuses a wrong code, or gives the try of a right one back. @param spend how a right code is used up */
async function judge(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, purpose, subject }: FactorOwner,
  counted: Counted,
  spend: ((tx: Tx) => Promise<void>) | undefined,
): Promise<Outcome<RightCode>> {
  const now = deps.clock();
  if (!spend) {
    const event = counted.state === "blocked" ? "code-blocked" : "code-wrong";
    await audit(tx, caller, now, { event, accountId, purpose });
    return refused(counted.state === "blocked" ? "016" : "007");
  }
  await giveTryBack(tx, deps, counted);
  await audit(tx, caller, now, { event: "code-right", accountId, purpose });
  return done({ id: counted.id, keyVersion: counted.key_version, purpose, subject, spend });
}

async function giveTryBack(tx: Tx, { clock }: Dependencies, { id }: Counted): Promise<void> {
  await tx
    .updateTable("codes")
    .set({
      tries: sql<number>`tries - 1`,
      state: "open",
      // The block of a last try is none any more.
      ends_at: sql<number>`case when state = 'blocked' then ${clock() + MINUTE} else ends_at end`,
    })
    .where("id", "=", id)
    .execute();
}

/** The key of the day's wrong tries, which stop new codes by SMS. */
function dayOf(owner: CodeOwner & { readonly isKnownBrowser: boolean }): string {
  return codeSubject(owner, owner.isKnownBrowser ? tokenHash(owner.browser) : undefined);
}

/** The refusal while nothing that this owner types would be compared, where no SMS can change that. */
export async function refusalIfBlocked(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner & Guesser,
  method: Method,
): Promise<Refusal | undefined> {
  const now = deps.clock();
  const row = await tx
    .selectFrom("codes")
    .select(["state", "ends_at"])
    .where((eb) => eb.and(ownerColumns(owner)))
    .executeTakeFirst();
  const blockedFor = row?.state === "blocked" && row.ends_at > now ? secondsUntil(row.ends_at, now) : 0;
  const stopped = method === "passkey" ? undefined : await refusalIfStopped(tx, deps, owner);
  const retryAfterSeconds = Math.max(blockedFor, stopped?.retryAfterSeconds ?? 0);
  return retryAfterSeconds > 0 ? { kind: "rate-limited", retryAfterSeconds } : undefined;
}

/** How a right code is used up, in the transaction of its effect, or what else it is. */
type Verdict = ((tx: Tx) => Promise<void>) | "wrong" | "used";

function compareCode(
  deps: Dependencies,
  { factors }: FactorOwner,
  { method, code }: Exclude<FactorAnswer, { method: "passkey" }>,
): Verdict {
  const now = deps.clock();
  if (method === "recovery") {
    // The new one that replaces it is its end.
    return isTheirRecoveryCode(deps.keyring, factors, code) ? () => Promise.resolve() : "wrong";
  }
  let verdict: Verdict = "wrong";
  for (const app of factors.apps) {
    const step = stepOfCode(secretOf(deps.keyring, app), readCode(code), now);
    if (step === undefined) continue;
    if (step > app.last_step) return (tx) => useStep(tx, app, step, now);
    verdict = "used";
  }
  return verdict;
}

/**
 * Uses a step, once for whatever purpose. An app that has just been removed has none left.
 * @throws UsedMeanwhile if another confirm has used it since it was compared
 */
async function useStep(tx: Tx, { id }: Tables["factors"], step: number, now: number): Promise<void> {
  const used = await tx
    .updateTable("factors")
    .set({ last_step: step, last_used_at: now })
    .where("id", "=", id)
    .where("last_step", "<", step)
    .returning("id")
    .executeTakeFirst();
  if (used) return;
  const left = await tx.selectFrom("factors").select("id").where("id", "=", id).executeTakeFirst();
  if (left) throw new UsedMeanwhile("a step has been used");
}

/**
 * Counts a try in the row of the browser's one-time code, which is made if there is none; it blocks if it is the last.
 * Undefined if it is blocked: until a new code by SMS, or where none can come, until the block is over.
 */
async function countTry(tx: Tx, deps: Dependencies, owner: FactorOwner) {
  const now = deps.clock();
  const { CODE_TRIES, CODE_LIFETIME_SECONDS, FACTOR_BLOCK_SECONDS } = deps.limits;
  // A code that no six digits match: the row only counts, and sends nothing.
  const row = newCodeRow(deps, owner, {
    code: newToken(),
    sentAt: 0,
    endsAt: now + CODE_LIFETIME_SECONDS * SECOND,
  });
  const isOpen = sql<boolean>`codes.state = 'open'`;
  const isValid = sql<boolean>`(${isOpen} and codes.ends_at > ${now})`;
  const tries = sql<number>`case when ${isOpen} then codes.tries + 1 else 1 end`;
  const isLast = sql<boolean>`(${tries}) >= ${CODE_TRIES}`;
  const kept = <Column extends "id" | "code_mac" | "key_version" | "sent_at" | "resent_at" | "refusals">(
    column: Column,
  ) => {
    const [old, next] = [sql.ref(`codes.${column}`), sql.ref(`excluded.${column}`)];
    return sql<Tables["codes"][Column]>`case when ${isValid} then ${old} else ${next} end`;
  };
  return tx
    .insertInto("codes")
    .values({ ...row, tries: 1, state: CODE_TRIES > 1 ? "open" : "blocked" })
    .onConflict((conflict) =>
      conflict
        .columns(["browser_hash", "subject", "purpose"])
        .doUpdateSet({
          id: kept("id"),
          code_mac: kept("code_mac"),
          key_version: kept("key_version"),
          sent_at: kept("sent_at"),
          resent_at: kept("resent_at"),
          refusals: kept("refusals"),
          tries,
          state: sql<"open" | "blocked">`case when ${isLast} then 'blocked' else 'open' end`,
          ends_at: sql<number>`case when ${isLast} then ${now + FACTOR_BLOCK_SECONDS * SECOND}
            when ${isValid} then codes.ends_at else excluded.ends_at end`,
          used_at: null,
          payload_mac: null,
        })
        .where((eb) =>
          owner.mayUseSms
            ? eb("codes.state", "<>", "blocked")
            : eb.or([eb("codes.state", "<>", "blocked"), eb("codes.ends_at", "<=", now)]),
        ),
    )
    .returning(["id", "key_version", "state"])
    .executeTakeFirst();
}
