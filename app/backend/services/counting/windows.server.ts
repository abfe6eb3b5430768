import { sql } from "kysely";
import type { Refusal } from "~/contract/refusal.server";
import { SECOND, secondsUntil } from "../../clock.server";
import { Overtaken } from "../../store/overtaken.server";
import type { Reader, Tx } from "../../store/store.server";

/** How much one bucket allows within a fixed time window. */
export interface WindowCap {
  /** What is counted and for whom. */
  readonly bucket: string;
  readonly most: number;
  readonly lengthMs: number;
  /** Called after the commit, each time one is taken, with the window's count. */
  readonly onTaken?: (count: number) => void;
  /** Called after the commit, each time one is refused. */
  readonly onFull?: () => void;
}

/** What a request is counted by. */
export interface WindowCaps {
  /** Windows of one customer, browser or claim. */
  readonly own: readonly WindowCap[];
  /**
   * Windows that many requests take from at once: looked at first, taken from last. Taking locks a window until the
   * commit, so taking early would make all other requests wait for this transaction's other statements.
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

/** Looks at the shared windows, then takes one from each own window in turn. The first full one refuses. */
export async function takeOwn(
  tx: Tx,
  { own, shared }: WindowCaps,
  now: number,
): Promise<Refusal | undefined> {
  for (const cap of shared) {
    const refusal = await lookAtWindow(tx, cap, now);
    if (refusal) return refusal;
  }
  for (const cap of own) {
    const refusal = await takeFromWindow(tx, cap, now);
    if (refusal) return refusal;
  }
  return undefined;
}

/**
 * Like `takeOwn`, but returns false if a window is full. From then on, and for missing caps, the stand-ins are used, so
 * that the statements are always the same (S108).
 */
export async function fitInOwn(
  tx: Tx,
  caps: WindowCaps | undefined,
  standIns: WindowCaps,
  now: number,
): Promise<boolean> {
  let fits = true;
  for (const [index, standIn] of standIns.shared.entries()) {
    const cap: WindowCap = fits ? (caps?.shared[index] ?? standIn) : standIn;
    fits = !(await lookAtWindow(tx, cap, now)) && fits;
  }
  for (const [index, standIn] of standIns.own.entries()) {
    const cap: WindowCap = fits ? (caps?.own[index] ?? standIn) : standIn;
    fits = (await fitsInWindow(tx, cap, now)) && fits;
  }
  return fits;
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

/** How many windows are remembered. Beyond that the oldest is forgotten, and the database is asked again. */
const MOST = 10_000;

/**
 * The windows that this process has found full. A full window stays full until it ends, so a flood of refused calls
 * need not reach the database.
 */
export class FullWindows {
  /** When each ends, in ms since 1970, at most a second too late. */
  readonly #ends = new Map<string, number>();

  /** The refusal of a window known to be full; undefined if the database has to say. */
  refusal(bucket: string, now: number): Refusal | undefined {
    const end = this.#ends.get(bucket);
    if (end === undefined) return undefined;
    if (now < end - SECOND) return { kind: "rate-limited", retryAfterSeconds: secondsUntil(end, now) };
    this.#ends.delete(bucket);
    return undefined;
  }

  /** Remembers a window that has just refused a call, and for how long. */
  remember(bucket: string, waitSeconds: number, now: number): void {
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= MOST && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(bucket, now + waitSeconds * SECOND);
  }
}
