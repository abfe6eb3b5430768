import { Memo } from "./memo";

const MINUTE_MS = 60_000;

// Swedish writes days and times as ISO 8601 does.
const isoDay = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "Europe/Warsaw" });
const isoTime = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "long",
  timeZone: "Europe/Warsaw",
});

/** Pages and calls ask for today's day again and again. */
const days = new Memo<string>(1000);

/** "2026-11-20" in Poland; `time` in ms since the epoch. */
export function isoDayInPoland(time: number): string {
  return days.get(String(Math.floor(time / MINUTE_MS)), () => isoDay.format(time));
}

/** "2026-11-20 13:05:00 CET" in Poland. */
export function zonedTimeInPoland(time: Date): string {
  return isoTime.format(time);
}
