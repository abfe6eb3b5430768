import type { Reader, Tx } from "../store/store.server";
import { attemptsOf } from "../limits/attempts.server";
import { forgetGuesses, guessPolicy, guessSubject, wrongInRow } from "../factors/guesses.server";
import { countLift } from "../accounts/looks.server";
import { notify, type NoticeDependencies } from "../notices/notices.server";
import { knownBrowserHashes } from "../sign-in/sessions.server";
import type { LockedState } from "../customers/customers.server";
import type { SupportAct, SupportDependencies } from "./account-state.server";

/** Wrong codes of an account's factors, typed in one place. */
export interface GuessedCodes {
  readonly where: "unknown-browsers" | "known-browser";
  /** Wrong codes that count towards the next stop. */
  readonly tries: number;
  /** Wrong codes in a row; only of unknown browsers. */
  readonly inRow?: number;
  /** When codes are compared again, in ms; undefined if they are, or if a confirmation must come first. */
  readonly stoppedUntil: number | undefined;
  /** Whether none is compared until a known browser, a passkey or `account unlock` has confirmed. */
  readonly untilConfirmed: boolean;
}

/** The places where wrong codes of factors count at the moment, stopped or not. */
export async function guessedCodes(
  reader: Reader,
  { clock, limits }: SupportDependencies,
  accountId: string,
): Promise<readonly GuessedCodes[]> {
  const now = clock();
  const policy = guessPolicy(limits);
  const hashes = [undefined, ...(await knownBrowserHashes(reader, accountId, now))];
  const subjects = hashes.map((hash) => guessSubject(accountId, hash));
  const kept = await attemptsOf(reader, subjects);
  const inRow = await wrongInRow(reader, accountId);
  return subjects.flatMap((subject, nth): GuessedCodes[] => {
    const row = kept.get(subject);
    const stoppedUntil = row && row.blocked_until > now ? row.blocked_until : undefined;
    const isOver = !row || row.last_at <= now - policy.forgetAfter || row.tries >= policy.limit;
    const tries = row && (stoppedUntil !== undefined || !isOver) ? row.tries : 0;
    const isUnknown = nth === 0;
    if (tries === 0 && stoppedUntil === undefined && !(isUnknown && inRow > 0)) return [];
    return [
      {
        where: isUnknown ? "unknown-browsers" : "known-browser",
        tries,
        ...(isUnknown && { inRow }),
        stoppedUntil,
        untilConfirmed: isUnknown && inRow >= limits.FACTOR_WRONG_IN_ROW,
      },
    ];
  });
}

/** Whether nothing is compared there. */
export function isStopped(guess: {
  readonly stoppedUntil: unknown;
  readonly untilConfirmed: boolean;
}): boolean {
  return guess.stoppedUntil !== undefined || guess.untilConfirmed;
}

/**
 * Lets all browsers try again, if any is stopped. The customer gets a notice, and an alarm watches how often it happens to
 * one account: each time gives an attacker with the password new tries. Returns the number of lifted stops.
 */
export async function liftFactorStops(
  tx: Tx,
  deps: SupportDependencies & NoticeDependencies,
  { accountId, source }: SupportAct,
  { customerId }: LockedState,
): Promise<number> {
  const stops = (await guessedCodes(tx, deps, accountId)).filter(isStopped);
  if (stops.length === 0) return 0;
  await forgetGuesses(tx, deps, accountId);
  await notify(tx, deps, source, { event: "account-unlocked", customerId });
  await countLift(tx, accountId, deps.clock());
  return stops.length;
}
