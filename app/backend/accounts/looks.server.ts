import { DAY, HOUR } from "~/platform/time.server";
import type { Reader, Tx } from "../store/store.server";
import { trySpend, UNLIMITED, windowsOf } from "../limits/windows.server";

const LOOKS = "looks|";

/**
 * Counts an operator's look for or at a customer, in an hour that begins with the first look. There is no limit: a metric
 * shows the most of any operator, and an alarm watches it.
 */
export async function countLook(tx: Tx, operator: string, now: number): Promise<void> {
  await trySpend(tx, { bucket: `${LOOKS}${operator}`, most: UNLIMITED, lengthMs: HOUR }, now);
}

const STOPS = "help-desk-stops";

/** Counts that the help desk has refused to show a customer, because a member of staff had looked for too many. */
export async function countStop(tx: Tx, now: number): Promise<void> {
  await trySpend(tx, { bucket: STOPS, most: UNLIMITED, lengthMs: HOUR }, now);
}

/** How often the help desk has refused that in a running hour. */
export async function stopsNow(reader: Reader, now: number): Promise<number> {
  return (await windowsOf(reader, [STOPS], now)).get(STOPS)?.count ?? 0;
}

const LIFTS = "lifts|";

/** Counts that staff has let an account's codes be guessed on, in a day that begins with the first time. */
export async function countLift(tx: Tx, accountId: string, now: number): Promise<void> {
  await trySpend(tx, { bucket: `${LIFTS}${accountId}`, most: UNLIMITED, lengthMs: DAY }, now);
}

/** The most looks of any operator in a running hour; 0 if there are none. */
export function mostLooks(reader: Reader, now: number): Promise<number> {
  return mostOf(reader, LOOKS, now);
}

/** The most lifts of any account in a running day; 0 if there are none. */
export function mostLifts(reader: Reader, now: number): Promise<number> {
  return mostOf(reader, LIFTS, now);
}

async function mostOf(reader: Reader, prefix: string, now: number): Promise<number> {
  const row = await reader
    .selectFrom("windows")
    .select(({ fn }) => fn.max("count").as("most"))
    .where("bucket", ">=", prefix)
    // The next character after the bar: every bucket of this prefix is before it.
    .where("bucket", "<", prefix.replace("|", "}"))
    .where("ends_at", ">", now)
    .executeTakeFirstOrThrow();
  const most = row.most as number | string | null;
  return Number(most ?? 0);
}
