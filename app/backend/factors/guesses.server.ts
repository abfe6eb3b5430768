import { sql } from "kysely";
import type { Method } from "~/contract/factors.server";
import type { Wait } from "~/contract/refusal.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND, secondsUntil } from "~/platform/time.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import {
  type AttemptPolicy,
  attemptsOf,
  doublingBlocks,
  forgetAttempts,
  giveAttemptBack,
  reserveAttempt,
  type ReservedAttempt,
} from "../limits/attempts.server";
import { trySpend } from "../limits/windows.server";
import { notify } from "../notices/notices.server";
import { knownBrowserHashes } from "../sign-in/sessions.server";

// A wrong code of a factor comes after the right password. So these tries count for longer than wrong codes by SMS, for
// all purposes (S154): per known browser, and for all unknown browsers together.

/** An account with factors, and the browser in which a code was typed for it. */
export interface Guesser {
  readonly accountId: string;
  readonly browser: string;
  readonly isKnownBrowser: boolean;
}

/** Fifteen wrong tries stop the comparing for an hour, and for twice as long each time until a factor was right. */
export function guessPolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.FACTOR_TRIES,
    blocks: doublingBlocks(limits.FACTOR_STOP_SECONDS * SECOND, limits.FACTOR_STOP_MAX_SECONDS * SECOND),
    forgetAfter: limits.FACTOR_STOP_FORGOTTEN_DAYS * DAY,
    forgetFrom: "last",
    blocksTries: true,
  };
}

/** The key in `attempts` for wrong tries at an account's factors. Unknown browsers share one. */
export function guessSubject(accountId: string, knownBrowserHash: string | undefined): string {
  return knownBrowserHash === undefined
    ? `${GUESSES}${accountId}`
    : `${GUESSES}${accountId}|${knownBrowserHash}`;
}

/** The prefix of `guessSubject`. */
export const GUESSES = "factor|";

function subjectOf({ accountId, browser, isKnownBrowser }: Guesser): string {
  return guessSubject(accountId, isKnownBrowser ? tokenHash(browser) : undefined);
}

/** The refusal while no code of an app and no recovery code is compared in this browser. */
export async function refusalIfStopped(
  reader: Reader,
  { clock, limits }: Dependencies,
  guesser: Guesser,
): Promise<Wait | undefined> {
  const now = clock();
  const subject = subjectOf(guesser);
  const until = (await attemptsOf(reader, [subject])).get(subject)?.blocked_until ?? 0;
  if (until > now) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(until, now) };
  if (guesser.isKnownBrowser) return undefined;
  return (await wrongInRow(reader, guesser.accountId)) < limits.FACTOR_WRONG_IN_ROW
    ? undefined
    : untilConfirmed(limits);
}

/** There is no end time: a right factor ends it. The retry time is that of the longest timed block. */
function untilConfirmed({ FACTOR_STOP_MAX_SECONDS }: Limits): Wait {
  return { kind: "rate-limited", retryAfterSeconds: FACTOR_STOP_MAX_SECONDS };
}

/** How many tries in a row were wrong in unknown browsers. */
export async function wrongInRow(reader: Reader, accountId: string): Promise<number> {
  const row = await reader
    .selectFrom("factor_settings")
    .select("wrong_in_row")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.wrong_in_row ?? 0;
}

/** A try that was counted before it is compared. */
export interface CountedGuess {
  readonly kind: "counted";
  readonly reservation: ReservedAttempt;
  /** Whether a wrong try blocks this browser, or all unknown browsers. */
  readonly isLast: boolean;
}

/**
 * Counts a try before it is compared, as if it were wrong. Each count is raised and compared in one statement. Counts
 * nothing while comparing is stopped.
 */
export async function countGuess(tx: Tx, deps: Dependencies, guesser: Guesser): Promise<CountedGuess | Wait> {
  const stopped = await refusalIfStopped(tx, deps, guesser);
  if (stopped) return stopped;
  const now = deps.clock();
  const policy = guessPolicy(deps.limits);
  const reservation = await reserveAttempt(tx, policy, subjectOf(guesser), now);
  if (reservation.kind === "blocked")
    return { kind: "rate-limited", retryAfterSeconds: secondsUntil(reservation.until, now) };
  if (guesser.isKnownBrowser) return { kind: "counted", reservation, isLast: reservation.left === 0 };
  const most = deps.limits.FACTOR_WRONG_IN_ROW;
  const counted = await tx
    .updateTable("factor_settings")
    .set({ wrong_in_row: sql<number>`wrong_in_row + 1` })
    .where("account_id", "=", guesser.accountId)
    .where("wrong_in_row", "<", most)
    .returning("wrong_in_row")
    .executeTakeFirst();
  if (!counted) {
    await giveAttemptBack(tx, policy, reservation);
    return untilConfirmed(deps.limits);
  }
  return { kind: "counted", reservation, isLast: reservation.left === 0 || counted.wrong_in_row >= most };
}

/** Gives back a try that was not compared, or was not wrong. */
export async function giveGuessBack(
  tx: Tx,
  { limits }: Dependencies,
  { accountId, isKnownBrowser }: Guesser,
  { reservation }: CountedGuess,
): Promise<void> {
  await giveAttemptBack(tx, guessPolicy(limits), reservation);
  if (isKnownBrowser) return;
  await tx
    .updateTable("factor_settings")
    .set({ wrong_in_row: sql<number>`wrong_in_row - 1` })
    .where("account_id", "=", accountId)
    .where("wrong_in_row", ">", 0)
    .execute();
}

/**
 * Forgets the wrong tries of the browser in which a factor was right. A right factor in a known browser (or any passkey)
 * also resets the counter of unknown browsers, but doesn't end a running block.
 * @param guess undefined if the try was not counted
 */
export async function noteRightFactor(
  tx: Tx,
  { limits }: Dependencies,
  guesser: Guesser,
  method: Method,
  guess: CountedGuess | undefined,
): Promise<void> {
  const { accountId, isKnownBrowser } = guesser;
  await forgetAttempts(tx, subjectOf(guesser));
  if (isKnownBrowser)
    await tx
      .updateTable("attempts")
      .set({ tries: 0, level: 0, run: sql<number>`run + 1` })
      .where("subject", "=", guessSubject(accountId, undefined))
      .execute();
  const row = tx.updateTable("factor_settings").set({ wrong_in_row: 0 }).where("account_id", "=", accountId);
  // A right code by SMS in an unknown browser doesn't reset a counter that has reached its limit.
  const resetsAtLimit = guess !== undefined || isKnownBrowser || method === "passkey";
  await (resetsAtLimit ? row : row.where("wrong_in_row", "<", limits.FACTOR_WRONG_IN_ROW)).execute();
}

/** Notifies the owner if this wrong try starts a block: at most once a day. */
export async function noteWrongGuess(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId }: Guesser,
  { isLast }: CountedGuess,
): Promise<void> {
  if (!isLast) return;
  const now = deps.clock();
  const onceADay = { bucket: `factor-guessed|${accountId}`, most: 1, lengthMs: DAY };
  if (!(await trySpend(tx, onceADay, now))) return;
  const { customer_id: customerId } = await tx
    .selectFrom("accounts")
    .select("customer_id")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  await audit(tx, caller, now, { event: "factor-guessed", accountId });
  await notify(tx, deps, caller, { event: "factor-guessed", customerId });
}

/** Forgets all wrong tries at an account's factors, and lifts their blocks. */
export async function forgetGuesses(
  tx: Tx,
  { clock }: Pick<Dependencies, "clock">,
  accountId: string,
): Promise<void> {
  const browsers = await knownBrowserHashes(tx, accountId, clock());
  for (const hash of [undefined, ...browsers]) await forgetAttempts(tx, guessSubject(accountId, hash));
  await tx
    .updateTable("factor_settings")
    .set({ wrong_in_row: 0 })
    .where("account_id", "=", accountId)
    .execute();
}
