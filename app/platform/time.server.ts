/** Milliseconds since 1970, UTC: the backend's only source of time. Tests pass their own. */
export type Clock = () => number;

/** The machine's clock. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds on a clock that never jumps, since an arbitrary moment: for durations within this process. */
export const stopwatch: Clock = () => performance.now();

// In milliseconds.
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Node fires a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Whole seconds until a moment, at least 1, as `Retry-After` expects. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / SECOND));
}

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

/** Whole days from one ISO day to another; negative if the other is earlier. A clock change doesn't matter. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/**
 * "2026-11-20 13:05:00 CET (12:05:00 UTC)": for operators, whose customers name Polish times and whose logs name UTC. The
 * day of UTC only if it is another one.
 */
export function zonedTimeInPoland(time: Date): string {
  const polish = isoTime.format(time);
  const [day = "", clock = ""] = time.toISOString().slice(0, -".000Z".length).split("T");
  return `${polish} (${polish.startsWith(day) ? "" : `${day} `}${clock} UTC)`;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/;
const FRACTION = /\.\d+$/;
/** The offsets of Polish clocks from UTC: in summer, in winter. */
const POLISH_OFFSETS = ["+02:00", "+01:00"];

/**
 * Reads a moment in ISO 8601; without an offset it is the time in Poland. A space may stand for the T.
 * @returns ms since 1970; undefined if there is no such moment, or if Polish clocks show it twice
 */
export function readMomentInPoland(text: string): number | undefined {
  const [, day = "", time = "", offset] = MOMENT.exec(text) ?? [];
  // 31 February would be read as a day in March.
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const moments = (offset === undefined ? POLISH_OFFSETS : [offset])
    .map((ahead) => Date.parse(`${day}T${time}${ahead}`))
    .filter((moment) => !Number.isNaN(moment))
    .filter(
      (moment) =>
        offset !== undefined || isoTime.format(moment).startsWith(`${day} ${time.replace(FRACTION, "")}`),
    );
  return moments.length === 1 ? moments[0] : undefined;
}
