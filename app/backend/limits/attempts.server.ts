import { sql } from "kysely";
import { usernameKey } from "~/contract/rules";
import type { Limits } from "~/platform/config/limits";
import { SECOND } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";

/** The rules for counting wrong tries of one kind, and for the block after too many. Times in ms. */
export interface AttemptPolicy {
  /** The number of wrong tries that causes a block. */
  readonly limit: number;
  /** The lengths of the first block, the second block, and so on. The last length repeats. */
  readonly blocks: readonly [number, ...number[]];
  /** Tries and blocks are forgotten when this time has passed since the try that `forgetFrom` names. */
  readonly forgetAfter: number;
  readonly forgetFrom: "first" | "last";
  /** Whether a block refuses further tries. If not, the block stops something else, and further tries are counted. */
  readonly blocksTries: boolean;
}

/** A try that was counted in advance. */
export interface ReservedAttempt {
  readonly kind: "reserved";
  /** The key in `attempts`: who is counted, and for what. */
  readonly subject: string;
  /** The number of the series of tries. A new series begins after a block or a reset; older tries can't be given back. */
  readonly run: number;
  /** How many tries are left before a block, if this try fails. */
  readonly left: number;
  /** When the block ends, in ms, if no try is left. */
  readonly until: number;
}

/** A try that was refused, because a block is in force. */
interface BlockedAttempt {
  readonly kind: "blocked";
  /** When the block ends, in ms. */
  readonly until: number;
}

/**
 * Counts a try before it is made, as if it had failed; if the try succeeds, give it back (`giveAttemptBack`). A single
 * statement counts and compares, so that fifty simultaneous tries can't exceed the limit (S10). The last allowed try
 * starts the block.
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
  const startsNewRun = sql<boolean>`(${forgotten} or attempts.tries >= ${limit})`;
  const tries = sql<number>`case when ${startsNewRun} then 1 else attempts.tries + 1 end`;
  const level = sql<number>`case when ${forgotten} then 0 else attempts.level end`;
  const isLast = sql<boolean>`(${tries}) >= ${limit}`;
  // One flat CASE: PostgreSQL infers the types of parameters from the column beside them.
  const ends = blocks.map((length, nth) => sql`when (${level}) = ${sql.lit(nth)} then ${now + length}`);
  const longest = now + (blocks.at(-1) ?? blocks[0]);
  const blockEnd = sql<number>`case when not (${isLast}) then attempts.blocked_until ${sql.join(ends, sql` `)} else ${longest} end`;
  const isFirstTheLast = limit <= 1;
  const reserved = await tx
    .insertInto("attempts")
    .values({
      subject,
      tries: 1,
      run: 1,
      level: isFirstTheLast ? 1 : 0,
      blocked_until: isFirstTheLast ? now + blocks[0] : 0,
      started_at: now,
      last_at: now,
    })
    .onConflict((conflict) => {
      const counted = conflict.column("subject").doUpdateSet({
        tries,
        run: sql<number>`case when ${startsNewRun} then attempts.run + 1 else attempts.run end`,
        level: sql<number>`(${level}) + case when ${isLast} then 1 else 0 end`,
        blocked_until: blockEnd,
        started_at: sql<number>`case when ${startsNewRun} then ${now} else attempts.started_at end`,
        last_at: now,
      });
      return blocksTries ? counted.where("attempts.blocked_until", "<=", now) : counted;
    })
    .returning(["subject", "run", "tries", "blocked_until as until"])
    .executeTakeFirst();
  if (reserved) return { ...reserved, kind: "reserved", left: limit - reserved.tries };
  return { kind: "blocked", until: await blockedUntil(tx, subject) };
}

/** Uncounts a try that succeeded or was never made, and lifts the block if this try caused it. */
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

/** The counted tries and the block of each subject, by subject. Subjects without a row are missing. */
export async function attemptsOf(reader: Reader, subjects: readonly string[]) {
  if (subjects.length === 0) return new Map<string, never>();
  const rows = await reader
    .selectFrom("attempts")
    .select(["subject", "tries", "blocked_until", "last_at"])
    .where("subject", "in", subjects)
    .execute();
  return new Map(rows.map(({ subject, ...counts }) => [subject, counts]));
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

/** The key in `attempts` for a trusted device: counted by itself, so that strangers can't lock out its owner (S13). */
export function deviceSubject(deviceId: string): string {
  return `sign-in|device|${deviceId}`;
}
