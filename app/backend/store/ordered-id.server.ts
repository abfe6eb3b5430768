import { randomBytes } from "node:crypto";

const COUNTER_LIMIT = 0x1_00_00;
let counter = 0;

/**
 * An id that sorts by time, and among those of one process and millisecond by the order they were made in: time (ms),
 * a counter, 40 random bits, in hexadecimal. For rows that are read in order and written in great number.
 */
export function orderedId(now: number): string {
  counter = (counter + 1) % COUNTER_LIMIT;
  const time = now.toString(16).padStart(12, "0");
  return `${time}-${counter.toString(16).padStart(4, "0")}-${randomBytes(5).toString("hex")}`;
}
