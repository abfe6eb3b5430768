// Swedish writes days and times as ISO 8601 does.
const isoDay = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "Europe/Warsaw" });
const isoTime = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "long",
  timeZone: "Europe/Warsaw",
});

/** "2026-11-20" in Poland; `time` in ms since the epoch. */
export function isoDayInPoland(time: number): string {
  return isoDay.format(time);
}

/** "2026-11-20 13:05:00 CET" in Poland. */
export function zonedTimeInPoland(time: Date): string {
  return isoTime.format(time);
}
