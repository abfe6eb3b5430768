import { sql } from "kysely";
import { secondsUntil } from "~/platform/time.server";
import type { Refusal } from "~/contract/refusal.server";
import { Overtaken, type Reader, type Tx } from "../store/store.server";

// Rate limits with fixed time windows, counted in the database for all processes together.

/** A rate limit: at most `most` requests (or messages) in a window of time, which begins with the first. */
export interface WindowCap {
  /** The counter's key in the database: the thing that is limited, and the customer, address or number. */
  readonly bucket: string;
  readonly most: number;
  readonly lengthMs: number;
  /** The cap's name in the metrics and the audit, if any. */
  readonly metric?: string;
  /** Called after the commit with the new count. */
  readonly onSpent?: (count: number) => void;
  /** Called after the commit, each time that a full window refuses. */
  readonly onFull?: () => void;
}

/** The `most` of decoys, and of counters without a limit. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The rate limits of one request. */
export interface WindowCaps {
  /** Counters of one customer, one browser, or one set of claimed details. */
  readonly own: readonly WindowCap[];
  /**
   * Counters that many requests share. Check them first, but increment them last: an increment locks the row until the
   * commit, so all other requests would wait for the rest of this transaction.
   */
  readonly shared: readonly WindowCap[];
}

/** Counts one request in the cap's window; returns a refusal with the retry time if the window is full. */
export async function spend(tx: Tx, cap: WindowCap, now: number): Promise<Refusal | undefined> {
  if (await trySpend(tx, cap, now)) return undefined;
  const full = await windowOf(tx, cap.bucket);
  return { kind: "rate-limited", retryAfterSeconds: secondsUntil(full?.ends_at ?? now, now) };
}

/**
 * Counts one request in the cap's window; returns false if the window is full. A single statement counts and compares,
 * so that at most `most` of fifty simultaneous requests get through.
 */
export async function trySpend(tx: Tx, cap: WindowCap, now: number): Promise<boolean> {
  const { bucket, most } = cap;
  const endsAt = now + cap.lengthMs;
  const isOver = sql<boolean>`windows.ends_at <= ${now}`;
  const spent = await tx
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
    if (spent) cap.onSpent?.(spent.count);
    else cap.onFull?.();
  });
  return spent !== undefined;
}

/** The cap whose window is full, and the refusal with the retry time. */
interface FullWindow {
  readonly full: WindowCap;
  readonly refusal: Refusal;
}

/** Checks the shared windows, then counts the request in each own window in turn. The first full window refuses. */
export async function spendOwn(
  tx: Tx,
  { own, shared }: WindowCaps,
  now: number,
): Promise<FullWindow | undefined> {
  for (const cap of shared) {
    const refusal = await refusalIfFull(tx, cap, now);
    if (refusal) return { full: cap, refusal };
  }
  for (const cap of own) {
    const refusal = await spend(tx, cap, now);
    if (refusal) return { full: cap, refusal };
  }
  return undefined;
}

/**
 * Like `spendOwn`, but response times don't reveal whether a window is full: after the first full window, and in place of
 * missing caps, decoys are checked and counted, so that the statements are always the same (S108). Returns the cap whose
 * window is full, if any.
 */
export async function spendOwnWithDecoys(
  tx: Tx,
  caps: WindowCaps | undefined,
  decoys: WindowCaps,
  now: number,
): Promise<WindowCap | undefined> {
  let full: WindowCap | undefined;
  for (const [index, decoy] of decoys.shared.entries()) {
    const cap: WindowCap = full ? decoy : (caps?.shared[index] ?? decoy);
    if (await refusalIfFull(tx, cap, now)) full ??= cap;
  }
  for (const [index, decoy] of decoys.own.entries()) {
    const cap: WindowCap = full ? decoy : (caps?.own[index] ?? decoy);
    if (!(await trySpend(tx, cap, now))) full ??= cap;
  }
  return full;
}

/**
 * Counts the request in each shared window, after `spendOwn` has checked them. Call this last in the transaction.
 * @throws Overtaken if a concurrent request has filled a window since the check; the store then retries the transaction,
 * and its check refuses
 */
export async function spendShared(tx: Tx, shared: readonly WindowCap[], now: number): Promise<void> {
  for (const cap of shared) {
    if (!(await trySpend(tx, cap, now))) throw new Overtaken("a window has filled up");
  }
}

/** The count and end of each bucket's current window, by bucket. Buckets without a current window are missing. */
export async function windowsOf(reader: Reader, buckets: readonly string[], now: number) {
  const rows = await reader
    .selectFrom("windows")
    .select(["bucket", "count", "ends_at"])
    .where("bucket", "in", buckets)
    .where("ends_at", ">", now)
    .execute();
  return new Map(rows.map(({ bucket, ...window }) => [bucket, window]));
}

/** Returns a refusal with the retry time if the window is full. Counts nothing, so it locks no row and never waits. */
export async function refusalIfFull(tx: Tx, cap: WindowCap, now: number): Promise<Refusal | undefined> {
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
