import { HOUR } from "~/platform/time.server";
import type { Reader, Tx } from "../../store/store.server";
import { fitsInWindow, UNLIMITED } from "../counting.server";

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
