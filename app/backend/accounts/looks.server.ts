import { DAY, HOUR } from "~/platform/time.server";
import type { Reader, Tx } from "../store/store.server";
import { trySpend, UNLIMITED, windowsOf } from "../limits/windows.server";

const LOOKS = "looks|";

/**
 * Counts an operator's look-up of a customer, in an hour that begins with the first look-up. There is no limit: a
 * metric shows the maximum of all operators, and an alarm watches it.
 */
export async function countLook(tx: Tx, operator: string, now: number): Promise<void> {
  await trySpend(tx, { bucket: `${LOOKS}${operator}`, most: UNLIMITED, lengthMs: HOUR }, now);
}

const STOPS = "help-desk-stops";

/** Counts that the help desk has refused to show a customer, because a member of staff has reached the rate limit. */
export async function countStop(tx: Tx, now: number): Promise<void> {
  await trySpend(tx, { bucket: STOPS, most: UNLIMITED, lengthMs: HOUR }, now);
}

/** The number of such refusals in the running hour. */
export async function stopsNow(reader: Reader, now: number): Promise<number> {
  return (await windowsOf(reader, [STOPS], now)).get(STOPS)?.count ?? 0;
}

const LIFTS = "lifts|";

/** Counts that staff has lifted a stop on guessing an account's codes, in a day that begins with the first lift. */
export async function countLift(tx: Tx, accountId: string, now: number): Promise<void> {
  await trySpend(tx, { bucket: `${LIFTS}${accountId}`, most: UNLIMITED, lengthMs: DAY }, now);
}

/** The maximum of look-ups by one operator in a running hour; 0 if there are none. */
export function mostLooks(reader: Reader, now: number): Promise<number> {
  return mostOf(reader, LOOKS, now);
}

/** The maximum of lifted stops of one account in a running day; 0 if there are none. */
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
