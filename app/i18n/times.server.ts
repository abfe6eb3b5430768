import { Memo } from "~/platform/memo";
import { LANGUAGES, type Language } from "./languages";
import { LOCALES } from "./locales";

const MINUTE_MS = 60_000;

/** Anything with a language; a translator has one. */
interface Speaker {
  readonly language: Language;
}

// Decided by language, not by country: the British write 9:00 but say 9am.
const SAYS_HOURS_UP_TO_TWELVE = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12,
  ]),
) as Record<Language, boolean>;
const day = inEachLanguage({ dateStyle: "long" });
const year = rememberingMinute(
  new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone: "Europe/Warsaw" }),
);
const wholeHour = inEachLanguage({ hour: "numeric", timeZone: "UTC" });
const clockTime = inEachLanguage({ timeStyle: "short" });
const dayAndTimeFormats = inEachLanguage({ dateStyle: "short", timeStyle: "short" });
const dayAndTime = Object.fromEntries(
  LANGUAGES.map((language) => [language, rememberingMinute(dayAndTimeFormats[language])]),
) as Record<Language, (time: number) => string>;

/** "9:05" or "9:05am" in Poland; `time` in ms since the epoch. */
export function clockTimeInPoland({ language }: Speaker, time: number): string {
  return oneWay(clockTime[language].format(time));
}

/** "20 listopada 2026" or "20 November 2026" in Poland, from an ISO 8601 time or date. It never breaks apart. */
export function dayInPoland({ language }: Speaker, iso: string): string {
  return days.get(language + iso, () => day[language].format(new Date(iso)).replace(/\s/g, "\u00A0"));
}

/** The first and last days of policies, mostly: the same ones on each page. */
const days = new Memo<string>(5000);

/** "20 listopada 2026, 9:05" or "20 November 2026, 9:05am" in Poland, from an ISO 8601 time. */
export function momentInPoland(speaker: Speaker, iso: string): string {
  return `${dayInPoland(speaker, iso)}, ${clockTimeInPoland(speaker, Date.parse(iso))}`;
}

/** "20.11.2026, 9:05" or "20/11/2026, 9:05am" in Poland; `time` in ms since the epoch. */
export function timeInPoland({ language }: Speaker, time: number): string {
  return oneWay(dayAndTime[language](time));
}

/** "2026" in Poland; `time` in ms since the epoch. */
export function yearInPoland(time: number): string {
  return year(time);
}

/** A full hour of the day, 0 to 24: "9:00", or "9am" in a language that says hours up to twelve. */
export function fullHour({ language }: Speaker, hour: number): string {
  if (!SAYS_HOURS_UP_TO_TWELVE[language]) return `${hour}:00`;
  return oneWay(wholeHour[language].format(Date.UTC(2026, 0, 1, hour)));
}

/** Writes times in one way (F19): no zero before the hour, no space after the minutes. */
function oneWay(time: string): string {
  return time.replace(/\b0(?=\d:)/, "").replace(/\s(?=[ap]m$)/, "");
}

/** Formats times without seconds. Remembers the last minute, because every page asks for the current one. */
function rememberingMinute(format: Intl.DateTimeFormat): (time: number) => string {
  let minute = Number.NaN;
  let text = "";
  return (time) => {
    const asked = Math.floor(time / MINUTE_MS);
    if (asked !== minute) text = format.format(time);
    minute = asked;
    return text;
  };
}

// Made once: making one takes longer than running a loader.
function inEachLanguage(style: Intl.DateTimeFormatOptions): Record<Language, Intl.DateTimeFormat> {
  const made = LANGUAGES.map((language) => [
    language,
    new Intl.DateTimeFormat(LOCALES[language], {
      timeZone: "Europe/Warsaw",
      hourCycle: SAYS_HOURS_UP_TO_TWELVE[language] ? "h12" : "h23",
      ...style,
    }),
  ]);
  return Object.fromEntries(made) as Record<Language, Intl.DateTimeFormat>;
}
