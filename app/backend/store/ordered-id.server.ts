import { randomBytes } from "node:crypto";

const COUNTER_LIMIT = 0x1_00_00;
let counter = 0;

/**
 * An id that sorts by time and, within one process and millisecond, by creation order: time (ms), a counter and 40
 * random bits, in hexadecimal. For rows that are written often and read in order.
 */
export function orderedId(now: number): string {
  counter = (counter + 1) % COUNTER_LIMIT;
  const time = now.toString(16).padStart(12, "0");
  return `${time}-${counter.toString(16).padStart(4, "0")}-${randomBytes(5).toString("hex")}`;
}
