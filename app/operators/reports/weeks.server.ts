import type { Span } from "~/backend/services/audit/events-between.server";
import { readMomentInPoland } from "~/platform/time.server";
import { UsageError } from "../kit/command.server";

/** A week of a month, or its part in that month: from its first day to its last, `YYYY-MM-DD` in Poland. */
export interface Week extends Span {
  readonly firstDay: string;
  readonly lastDay: string;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
const MONDAY = 1;

/** The weeks of a month, Monday to Sunday, in Polish time. @throws UsageError if the month is none, such as `2026-13` */
export function weeksOf(month: string): readonly [Week, ...Week[]] {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined) throw new UsageError("--month: expected a month such as 2026-11");
  const days = daysOf(Number(year), Number(number));
  const firstDays = days.filter((day, nth) => nth === 0 || weekday(day) === MONDAY);
  const weeks = firstDays.map((firstDay, nth): Week => {
    const next = firstDays[nth + 1];
    const lastDay = next === undefined ? (days.at(-1) ?? firstDay) : dayAfter(next, -1);
    return { firstDay, lastDay, since: startOfDay(firstDay), until: startOfDay(dayAfter(lastDay, 1)) };
  });
  const [first, ...others] = weeks;
  if (!first) throw new UsageError("--month: expected a month such as 2026-11");
  return [first, ...others];
}

function daysOf(year: number, month: number): readonly string[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length }, (_, nth) => isoDay(Date.UTC(year, month - 1, nth + 1)));
}

function isoDay(midnight: number): string {
  return new Date(midnight).toISOString().slice(0, "YYYY-MM-DD".length);
}

function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`);
  return isoDay(date.setUTCDate(date.getUTCDate() + days));
}

function weekday(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay();
}

/** Polish clocks change at two or three in the night, so every day has one midnight. */
function startOfDay(day: string): number {
  const midnight = readMomentInPoland(`${day}T00:00`);
  if (midnight === undefined) throw new Error(`${day} has no midnight`);
  return midnight;
}
