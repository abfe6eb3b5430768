import { HOUR } from "~/platform/time.server";
import type { Reader, Tx } from "../../store/store.server";
import { fitsInWindow, UNLIMITED, windowsOf } from "../counting.server";

const LOOKS = "looks|";
/** The next character after the bar: every bucket of looks is before it. */
const AFTER_LOOKS = "looks}";

/**
 * Counts that an operator has looked for or at a customer, in an hour that begins with the first look. It stops nothing:
 * a portal's metric tells the most of any operator, and an alarm watches it.
 */
export async function countLook(tx: Tx, operator: string, now: number): Promise<void> {
  await fitsInWindow(tx, { bucket: `${LOOKS}${operator}`, most: UNLIMITED, lengthMs: HOUR }, now);
}

const STOPS = "help-desk-stops";

/** Counts that the help desk has refused to show a customer, because a member of staff had looked for too many. */
export async function countStop(tx: Tx, now: number): Promise<void> {
  await fitsInWindow(tx, { bucket: STOPS, most: UNLIMITED, lengthMs: HOUR }, now);
}

/** How often the help desk has refused that in a running hour. */
export async function stopsNow(reader: Reader, now: number): Promise<number> {
  return (await windowsOf(reader, [STOPS], now)).get(STOPS)?.count ?? 0;
}

/** The most looks of any operator in a running hour; 0 if there are none. */
export async function mostLooks(reader: Reader, now: number): Promise<number> {
  const row = await reader
    .selectFrom("windows")
    .select(({ fn }) => fn.max("count").as("most"))
    .where("bucket", ">=", LOOKS)
    .where("bucket", "<", AFTER_LOOKS)
    .where("ends_at", ">", now)
    .executeTakeFirstOrThrow();
  const most = row.most as number | string | null;
  return Number(most ?? 0);
}
