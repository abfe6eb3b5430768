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

/**
 * Takes one from a window, or returns when the next window begins. One statement counts and compares, so that of fifty
 * simultaneous calls at most `most` get through.
 */
export async function takeFromWindow(db: Reader, cap: WindowCap, now: number): Promise<Refusal | undefined> {
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
  if (taken) {
    afterCommit(db, () => cap.onTaken?.(taken.count));
    return undefined;
  }
  afterCommit(db, () => cap.onFull?.());
  const full = await db
    .selectFrom("windows")
    .select("ends_at")
    .where("bucket", "=", cap.bucket)
    .executeTakeFirst();
  return { kind: "rate-limited", retryAfterSeconds: secondsUntil(full?.ends_at ?? now, now) };
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
