import { sql } from "kysely";
import type { Method } from "~/contract/factors.server";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { SECOND, secondsUntil } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { giveAttemptBack, reserveAttempt } from "../limits/attempts.server";
import type { ProofOptions } from "../factors/factors.server";
import {
  type CountedGuess,
  countGuess,
  giveGuessBack,
  type Guesser,
  refusalIfStopped,
} from "../factors/guesses.server";
import {
  type CodeOwner,
  codePolicy,
  codeSubject,
  type LockedCode,
  newCodeRow,
  ownerColumns,
} from "./code-rows.server";

// All proofs have the same limit of tries (S21, S131). Each try counts for its browser, owner and purpose, in the row of the
// code. All but passkeys, which can't be guessed, also count for the day, and for an account with factors as guesses.

/** Whose proof it is, and the browser and purpose that it is bound to. */
export interface Prover extends CodeOwner {
  readonly accountId: string | undefined;
  readonly isKnownBrowser: boolean;
  readonly proofOptions: ProofOptions;
}

/** An account with factors; undefined for all others, whose wrong codes are no guesses. */
export function guesserOf({
  proofOptions: { factors },
  browser,
  isKnownBrowser,
}: Prover): Guesser | undefined {
  return factors.settings ? { accountId: factors.accountId, browser, isKnownBrowser } : undefined;
}

/** A try that was counted: in the row, for the day and as a guess, if it counts there. */
export interface CountedTry {
  readonly row: Pick<Tables["codes"], "id" | "code_mac" | "key_version" | "state"> & {
    /** Until when it is open if the try is given back. */
    readonly openUntil: number;
  };
  readonly day?: Awaited<ReturnType<typeof reserveAttempt>> | undefined;
  readonly guess?: CountedGuess | undefined;
}

/**
 * Counts a try before it is compared, as if it were wrong, in one statement for each count: of fifty at once, at most
 * five are compared. The account's row, or that of the code, is locked. Refusals: 016 while the browser is blocked, and
 * 429 while no guess is compared; a code that was sent is compared even then.
 * @param before the row as it was locked
 */
export async function countTry(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  method: Method,
  before: LockedCode | undefined,
): Promise<Outcome<CountedTry>> {
  const isGuess = method !== "passkey";
  const guesser = isGuess ? guesserOf(prover) : undefined;
  const guess = guesser && (await countGuess(tx, deps, guesser));
  if (guess && guess.kind !== "counted" && method !== "sms") return guess;
  const day = isGuess
    ? await reserveAttempt(tx, codePolicy(deps.limits), dayOf(prover), deps.clock())
    : undefined;
  const counts = { guess: guess?.kind === "counted" ? guess : undefined, day };
  const row = await countInRow(tx, deps, prover, before);
  if (row) return done({ ...counts, row });
  await giveTryBack(tx, deps, prover, counts);
  return refused("016");
}

/** Gives back a try that was not compared, or wasn't wrong, and ends a block that it has caused. */
export async function giveTryBack(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  { row, day, guess }: Partial<CountedTry>,
): Promise<void> {
  const guesser = guesserOf(prover);
  if (guesser && guess) await giveGuessBack(tx, deps, guesser, guess);
  if (day) await giveAttemptBack(tx, codePolicy(deps.limits), day);
  if (!row) return;
  await tx
    .updateTable("codes")
    .set({ tries: sql<number>`tries - 1`, state: "open", ends_at: row.openUntil })
    .where("id", "=", row.id)
    .execute();
}

/** The key of the day's wrong tries, which stop new codes by SMS. */
function dayOf(prover: Prover): string {
  return codeSubject(prover, prover.isKnownBrowser ? tokenHash(prover.browser) : undefined);
}

/**
 * Counts a try in the owner's row, which is made if there is none. The last try blocks the row. Returns undefined while the
 * row is blocked: a new SMS code lifts the block; without SMS, only time does.
 */
async function countInRow(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  before: LockedCode | undefined,
): Promise<CountedTry["row"] | undefined> {
  const now = deps.clock();
  const { CODE_TRIES, CODE_LIFETIME_SECONDS, FACTOR_BLOCK_SECONDS } = deps.limits;
  const fresh = newCodeRow(deps, prover, { sentAt: 0, endsAt: now + CODE_LIFETIME_SECONDS * SECOND });
  const isValid = before?.state === "open" && before.ends_at > now;
  const tries = sql<number>`case when codes.state = 'open' then codes.tries + 1 else 1 end`;
  const isLast = sql<boolean>`(${tries}) >= ${CODE_TRIES}`;
  const openUntil = sql.ref(isValid ? "codes.ends_at" : "excluded.ends_at");
  const counted = await tx
    .insertInto("codes")
    .values({ ...fresh, tries: 1, state: CODE_TRIES > 1 ? "open" : "blocked" })
    .onConflict((conflict) =>
      conflict
        .columns(["browser_hash", "subject", "purpose"])
        .doUpdateSet({
          ...(!isValid && fresh),
          tries,
          state: sql<"open" | "blocked">`case when ${isLast} then 'blocked' else 'open' end`,
          ends_at: sql<number>`case when ${isLast} then ${now + FACTOR_BLOCK_SECONDS * SECOND} else ${openUntil} end`,
        })
        .where((eb) =>
          prover.proofOptions.methods.includes("sms")
            ? eb("codes.state", "<>", "blocked")
            : eb.or([eb("codes.state", "<>", "blocked"), eb("codes.ends_at", "<=", now)]),
        ),
    )
    .returning(["id", "code_mac", "key_version", "state"])
    .executeTakeFirst();
  return counted && { ...counted, openUntil: isValid ? before.ends_at : fresh.ends_at };
}

/** The refusal while the prover's tries are blocked and no SMS can lift the block. */
export async function refusalIfBlocked(
  tx: Tx,
  deps: Dependencies,
  prover: Prover,
  method: Method,
): Promise<Refusal | undefined> {
  const now = deps.clock();
  const row = await tx
    .selectFrom("codes")
    .select(["state", "ends_at"])
    .where((eb) => eb.and(ownerColumns(prover)))
    .executeTakeFirst();
  const blockedFor = row?.state === "blocked" && row.ends_at > now ? secondsUntil(row.ends_at, now) : 0;
  const guesser = method === "passkey" ? undefined : guesserOf(prover);
  const stopped = guesser && (await refusalIfStopped(tx, deps, guesser));
  const retryAfterSeconds = Math.max(blockedFor, stopped?.retryAfterSeconds ?? 0);
  return retryAfterSeconds > 0 ? { kind: "rate-limited", retryAfterSeconds } : undefined;
}
