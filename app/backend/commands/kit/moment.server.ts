import { InvalidArgumentError } from "@commander-js/extra-typings";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads a moment, or a day, which begins at midnight UTC. @returns ms since 1970 */
export function readMoment(text: string): number {
  const moment = DAY.test(text) || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(text.slice(0, "YYYY-MM-DD".length)))
    throw new InvalidArgumentError(
      "Expected a day such as 2026-11-21, or a moment such as 2026-11-21T08:30Z.",
    );
  return moment;
}

/** Whether the day exists: 31 February doesn't. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Reads a whole number, at least 1. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number, at least 1.");
  return Number(text);
}
