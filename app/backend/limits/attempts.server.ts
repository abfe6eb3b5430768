import { sql } from "kysely";
import { usernameKey } from "~/contract/rules";
import type { Limits } from "~/platform/config/limits";
import { SECOND } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";

/** The rules for counting wrong tries of one kind, and for the block after too many. Times in ms. */
export interface AttemptPolicy {
  /** This many tries cause a block. */
  readonly limit: number;
  /** How long the first block lasts, the second, and so on; the last value repeats. */
  readonly blocks: readonly [number, ...number[]];
  /** Tries and blocks are forgotten after this long … */
  readonly forgetAfter: number;
  /** … counted from the first or the last try. */
  readonly forgetFrom: "first" | "last";
  /** Whether a block stops tries. If not, it stops something else, and tries keep counting. */
  readonly blocksTries: boolean;
}

/** A try that was counted in advance. */
export interface ReservedAttempt {
  readonly kind: "reserved";
  readonly subject: string;
  readonly run: number;
  /** How many more tries there are before a block, if this one fails. */
  readonly left: number;
  /** When the block ends, in ms, if no try is left. */
  readonly until: number;
}

/** No try may be made until then (ms). */
interface BlockedAttempt {
  readonly kind: "blocked";
  readonly until: number;
}

/**
 * Counts a try before it is made, as if it had failed; one that succeeds is given back. A single statement counts and
 * compares, so that fifty simultaneous tries can't exceed the limit (S10). The last allowed try starts the block.
 */
export async function reserveAttempt(
  tx: Tx,
  policy: AttemptPolicy,
  subject: string,
  now: number,
): Promise<ReservedAttempt | BlockedAttempt> {
  const { limit, blocks, blocksTries } = policy;
  const since = sql.ref(policy.forgetFrom === "first" ? "attempts.started_at" : "attempts.last_at");
  const forgotten = sql<boolean>`${since} <= ${now - policy.forgetAfter}`;
  const startsAgain = sql<boolean>`(${forgotten} or attempts.tries >= ${limit})`;
  const tries = sql<number>`case when ${startsAgain} then 1 else attempts.tries + 1 end`;
  const level = sql<number>`case when ${forgotten} then 0 else attempts.level end`;
  const isLast = sql<boolean>`(${tries}) >= ${limit}`;
  // One flat CASE: PostgreSQL infers the types of parameters from the column beside them.
  const ends = blocks.map((length, nth) => sql`when (${level}) = ${sql.lit(nth)} then ${now + length}`);
  const longest = now + (blocks.at(-1) ?? blocks[0]);
  const blockEnd = sql<number>`case when not (${isLast}) then attempts.blocked_until ${sql.join(ends, sql` `)} else ${longest} end`;
  const isLastAtOnce = limit <= 1;
  const reserved = await tx
    .insertInto("attempts")
    .values({
      subject,
      tries: 1,
      run: 1,
      level: isLastAtOnce ? 1 : 0,
      blocked_until: isLastAtOnce ? now + blocks[0] : 0,
      started_at: now,
      last_at: now,
    })
    .onConflict((conflict) => {
      const counted = conflict.column("subject").doUpdateSet({
        tries,
        run: sql<number>`case when ${startsAgain} then attempts.run + 1 else attempts.run end`,
        level: sql<number>`(${level}) + case when ${isLast} then 1 else 0 end`,
        blocked_until: blockEnd,
        started_at: sql<number>`case when ${startsAgain} then ${now} else attempts.started_at end`,
        last_at: now,
      });
      return blocksTries ? counted.where("attempts.blocked_until", "<=", now) : counted;
    })
    .returning(["subject", "run", "tries", "blocked_until as until"])
    .executeTakeFirst();
  if (reserved) return { ...reserved, kind: "reserved", left: limit - reserved.tries };
  return { kind: "blocked", until: await blockedUntil(tx, subject) };
}

/** Gives back a try that succeeded or was never made, and lifts the block that it caused. */
export async function giveAttemptBack(
  tx: Tx,
  policy: AttemptPolicy,
  reservation: ReservedAttempt | BlockedAttempt,
): Promise<void> {
  if (reservation.kind === "blocked") return;
  const { subject, run } = reservation;
  const wasLast = sql<boolean>`tries >= ${policy.limit}`;
  await tx
    .updateTable("attempts")
    .set({
      tries: sql<number>`tries - 1`,
      level: sql<number>`case when ${wasLast} then level - 1 else level end`,
      blocked_until: sql<number>`case when ${wasLast} then 0 else blocked_until end`,
    })
    .where("subject", "=", subject)
    .where("run", "=", run)
    .where("tries", ">", 0)
    .execute();
}

/** Forgets all tries and lifts the block. Tries still under way can no longer be given back. */
export async function forgetAttempts(tx: Tx, subject: string): Promise<void> {
  await tx
    .updateTable("attempts")
    .set({ tries: 0, level: 0, blocked_until: 0, run: sql<number>`run + 1` })
    .where("subject", "=", subject)
    .execute();
}

/** The counts of some subjects, by subject. Subjects without any are missing. */
export async function attemptsOf(reader: Reader, subjects: readonly string[]) {
  if (subjects.length === 0) return new Map<string, never>();
  const rows = await reader
    .selectFrom("attempts")
    .select(["subject", "tries", "blocked_until", "last_at"])
    .where("subject", "in", subjects)
    .execute();
  return new Map(rows.map(({ subject, ...kept }) => [subject, kept]));
}

/** When the block of a subject ends, in ms; 0 if there never was one. */
export async function blockedUntil(reader: Reader, subject: string): Promise<number> {
  const row = await reader
    .selectFrom("attempts")
    .select("blocked_until")
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.blocked_until ?? 0;
}

/** Wrong passwords in a row: five block for 15 minutes, then twice as long each time (backend contract, 106). */
export function signInPolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.PASSWORD_TRIES,
    blocks: doublingBlocks(limits.LOCK_SECONDS * SECOND, limits.LOCK_MAX_SECONDS * SECOND),
    forgetAfter: limits.LOCK_FORGOTTEN_SECONDS * SECOND,
    forgetFrom: "last",
    blocksTries: true,
  };
}

/** Blocks that last twice as long each time, up to the longest. */
export function doublingBlocks(first: number, longest: number): [number, ...number[]] {
  const blocks: [number, ...number[]] = [Math.min(first, longest)];
  for (let next = first * 2; next < longest * 2; next *= 2) blocks.push(Math.min(next, longest));
  return blocks;
}

/** The key in `attempts` for a username typed in an unknown browser, whether or not an account has the name (S1). */
export function usernameSubject({ keyring }: Pick<Dependencies, "keyring">, username: string): string {
  return `sign-in|user|${steadyIndex(keyring, "username", usernameKey(username))}`;
}

/** The key in `attempts` for one account in a known browser, which strangers can't lock (S107). */
export function browserSubject(accountId: string, browserHash: string): string {
  return `sign-in|browser|${accountId}|${browserHash}`;
}

/** The key in `attempts` for a trusted device, which counts alone so that strangers can't lock out its owner (S13). */
export function deviceSubject(deviceId: string): string {
  return `sign-in|device|${deviceId}`;
}
