import { sql } from "kysely";
import { usernameKey } from "~/contract/rules";
import type { Limits } from "~/platform/config/limits";
import { HOUR, SECOND, secondsUntil } from "~/platform/time.server";
import type { Refusal } from "~/contract/refusal.server";
import { counter } from "~/platform/telemetry/metrics.server";
import type { Dependencies } from "../dependencies.server";
import { steadyIndex } from "../secrets/keyring.server";
import { Overtaken, type Reader, type Tx } from "../store/store.server";

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

/** How much one bucket allows within a fixed time window. */
export interface WindowCap {
  /** Names what is counted, and for whom. */
  readonly bucket: string;
  readonly most: number;
  readonly lengthMs: number;
  /** Its name in the metrics and the audit, if it has one. */
  readonly which?: CapName;
  /** Called after the commit with the window's count, each time one is taken. */
  readonly onTaken?: (count: number) => void;
  /** Called after the commit, each time one is refused. */
  readonly onFull?: () => void;
}

/** The windows that a request counts towards. */
export interface WindowCaps {
  /** Windows of one customer, browser or claim. */
  readonly own: readonly WindowCap[];
  /**
   * Windows that many requests take from at once: looked at first, taken from last. Taking locks a window until the
   * commit, so taking early would make all other requests wait for the rest of this transaction.
   */
  readonly shared: readonly WindowCap[];
}

/** Takes one from a window, or returns a refusal that says when the next window begins. */
export async function takeFromWindow(tx: Tx, cap: WindowCap, now: number): Promise<Refusal | undefined> {
  if (await fitsInWindow(tx, cap, now)) return undefined;
  const full = await windowOf(tx, cap.bucket);
  return { kind: "rate-limited", retryAfterSeconds: secondsUntil(full?.ends_at ?? now, now) };
}

/**
 * Takes one from a window, or returns false if it is full. A single statement counts and compares, so that at most
 * `most` of fifty simultaneous calls get through.
 */
export async function fitsInWindow(tx: Tx, cap: WindowCap, now: number): Promise<boolean> {
  const { bucket, most } = cap;
  const endsAt = now + cap.lengthMs;
  const isOver = sql<boolean>`windows.ends_at <= ${now}`;
  const taken = await tx
    .insertInto("windows")
    .values({ bucket, count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else windows.count + 1 end`,
          ends_at: sql<number>`case when ${isOver} then ${endsAt} else windows.ends_at end`,
        })
        .where(sql<boolean>`(${isOver} or windows.count < ${most})`),
    )
    .returning("count")
    .executeTakeFirst();
  tx.afterCommit(() => {
    if (taken) cap.onTaken?.(taken.count);
    else cap.onFull?.();
  });
  return taken !== undefined;
}

/** A window that is full, and the refusal of whoever asked. */
interface FullWindow {
  readonly full: WindowCap;
  readonly refusal: Refusal;
}

/** Looks at the shared windows, then takes one from each own window in turn. The first full one refuses. */
export async function takeOwn(
  tx: Tx,
  { own, shared }: WindowCaps,
  now: number,
): Promise<FullWindow | undefined> {
  for (const full of shared) {
    const refusal = await lookAtWindow(tx, full, now);
    if (refusal) return { full, refusal };
  }
  for (const full of own) {
    const refusal = await takeFromWindow(tx, full, now);
    if (refusal) return { full, refusal };
  }
  return undefined;
}

/**
 * Like `takeOwn`, but returns the full window alone. From then on, and for missing caps, decoys are used, so
 * that the statements are always the same (S108).
 */
export async function takeOwnInSilence(
  tx: Tx,
  caps: WindowCaps | undefined,
  decoys: WindowCaps,
  now: number,
): Promise<WindowCap | undefined> {
  let full: WindowCap | undefined;
  for (const [index, decoy] of decoys.shared.entries()) {
    const cap: WindowCap = full ? decoy : (caps?.shared[index] ?? decoy);
    if (await lookAtWindow(tx, cap, now)) full ??= cap;
  }
  for (const [index, decoy] of decoys.own.entries()) {
    const cap: WindowCap = full ? decoy : (caps?.own[index] ?? decoy);
    if (!(await fitsInWindow(tx, cap, now))) full ??= cap;
  }
  return full;
}

/**
 * Takes one from each shared window, as the last statements of a transaction that has looked at them.
 * @throws Overtaken if others have filled one since; the transaction then runs again and sees it full
 */
export async function takeShared(tx: Tx, shared: readonly WindowCap[], now: number): Promise<void> {
  for (const cap of shared) {
    if (!(await fitsInWindow(tx, cap, now))) throw new Overtaken("a window has filled up");
  }
}

/** The current windows of some buckets, by bucket. */
export async function windowsOf(reader: Reader, buckets: readonly string[], now: number) {
  const rows = await reader
    .selectFrom("windows")
    .select(["bucket", "count", "ends_at"])
    .where("bucket", "in", buckets)
    .where("ends_at", ">", now)
    .execute();
  return new Map(rows.map(({ bucket, ...window }) => [bucket, window]));
}

/** The refusal of a window if it is full. Takes nothing, so it locks nothing and never waits. */
export async function lookAtWindow(tx: Tx, cap: WindowCap, now: number): Promise<Refusal | undefined> {
  const window = await windowOf(tx, cap.bucket);
  if (!window || window.ends_at <= now || window.count < cap.most) return undefined;
  tx.afterCommit(() => cap.onFull?.());
  return { kind: "rate-limited", retryAfterSeconds: secondsUntil(window.ends_at, now) };
}

function windowOf(db: Reader, bucket: string) {
  return db
    .selectFrom("windows")
    .select(["count", "ends_at"])
    .where("bucket", "=", bucket)
    .executeTakeFirst();
}

/** The share of a budget at which a warning is logged. */
const EARLY_WARNING = 0.8;

/**
 * The names of the caps on messages. `policy`: the policies of a policyholder, or the details that an unknown visitor claims.
 * `notice-number` and `lock-number`: notices to one number; `mail-…`: e-mail notices. A budget is for all together.
 */
const CAPS = [
  "number",
  "policy",
  "address",
  "open-budget",
  "known-budget",
  "notice-number",
  "lock-number",
  "lock-budget",
  "mail-customer",
  "mail-lock-customer",
  "mail-lock-budget",
] as const;
/** The name of a cap in the metrics. */
export type CapName = (typeof CAPS)[number];

const capsReached = counter(
  { name: "portal_sms_caps_reached_total", help: "Messages not sent because of a cap, by cap" },
  { cap: CAPS },
);

/** For decoys, which limit nothing. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** A cap whose refusals are counted in the metrics: many of them suggest SMS pumping or harassment (S27). */
export function counted(which: CapName, cap: WindowCap): WindowCap {
  return {
    ...cap,
    which,
    onFull: () => {
      capsReached.inc({ cap: which });
    },
  };
}

/** The budgets: for codes counted as open, for all other codes, for notices of locks by SMS and by e-mail. */
type Budget = "open" | "known" | "lock" | "mail-lock";

/** A cap on the messages to all customers together in an hour. Logged when it runs low. */
export function hourlyBudget(
  deps: Pick<Dependencies, "log">,
  budget: Budget,
  { bucket, most }: Pick<WindowCap, "bucket" | "most">,
): WindowCap {
  return counted(`${budget}-budget`, {
    bucket,
    most,
    lengthMs: HOUR,
    onTaken: (count) => {
      watchBudget(deps, { budget, count, most });
    },
  });
}

/**
 * Logs an error when a budget is used up, and a warning before. All processes share the count, so each is logged at most
 * once an hour, by the process that took that count.
 */
function watchBudget(
  { log }: Pick<Dependencies, "log">,
  facts: { budget: Budget; count: number; most: number },
): void {
  const { budget, count, most } = facts;
  if (count === most) log.error({ event: "sms-total-cap-reached", budget, most }, "sms");
  else if (count === Math.ceil(most * EARLY_WARNING))
    log.warn({ event: "sms-total-cap-near", ...facts }, "sms");
}
