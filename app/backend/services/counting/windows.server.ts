import { sql } from "kysely";
import type { Refusal } from "~/contract/refusal.server";
import { secondsUntil } from "../../clock.server";
import { afterCommit } from "../../store/after-commit.server";
import type { Reader, Tx } from "../../store/store.server";

/** How much one bucket allows within a fixed time window. */
export interface WindowCap {
  /** What is counted and for whom. */
  readonly bucket: string;
  readonly most: number;
  readonly lengthMs: number;
  /** Called, after the commit, for each one taken, with the count in this window. */
  readonly onTaken?: (count: number) => void;
  /** Called, after the commit, for each one refused. */
  readonly onFull?: () => void;
}

/** Takes one from a window, or returns when the next window begins. */
export async function takeFromWindow(db: Reader, cap: WindowCap, now: number): Promise<Refusal | undefined> {
  if (await fitsInWindow(db, cap, now)) return undefined;
  const full = await db
    .selectFrom("windows")
    .select("ends_at")
    .where("bucket", "=", cap.bucket)
    .executeTakeFirst();
  return { kind: "rate-limited", retryAfterSeconds: secondsUntil(full?.ends_at ?? now, now) };
}

/**
 * Takes one from a window, or returns false if it is full. One statement counts and compares, so that of fifty
 * simultaneous calls at most `most` get through.
 */
export async function fitsInWindow(db: Reader, cap: WindowCap, now: number): Promise<boolean> {
  const isOver = sql<boolean>`windows.ends_at <= ${now}`;
  const taken = await db
    .insertInto("windows")
    .values({ bucket: cap.bucket, count: 1, ends_at: now + cap.lengthMs })
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else windows.count + 1 end`,
          ends_at: sql<number>`case when ${isOver} then ${now + cap.lengthMs} else windows.ends_at end`,
        })
        .where(sql<boolean>`(${isOver} or windows.count < ${cap.most})`),
    )
    .returning("count")
    .executeTakeFirst();
  afterCommit(db, () => {
    if (taken) cap.onTaken?.(taken.count);
    else cap.onFull?.();
  });
  return taken !== undefined;
}

/** Takes one from each window in turn; the first full window refuses. */
export async function takeFromWindows(
  tx: Tx,
  caps: readonly WindowCap[],
  now: number,
): Promise<Refusal | undefined> {
  for (const cap of caps) {
    const refusal = await takeFromWindow(tx, cap, now);
    if (refusal) return refusal;
  }
  return undefined;
}

/**
 * Takes one from each window in turn, as long as each fits; false if one is full. After a full window, and where there is
 * none, the stand-in in its place is taken from: the statements are the same whatever is full (S108).
 */
export async function fitInWindows(
  tx: Tx,
  caps: readonly WindowCap[],
  standIns: readonly WindowCap[],
  now: number,
): Promise<boolean> {
  let fits = true;
  for (const [index, standIn] of standIns.entries()) {
    const cap: WindowCap = fits ? (caps[index] ?? standIn) : standIn;
    fits = (await fitsInWindow(tx, cap, now)) && fits;
  }
  return fits;
}
