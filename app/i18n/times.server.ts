import type { Currency, Premium } from "~/contract/premium.server";
import { inEachLanguage, type Language } from "./languages";
import { LOCALES } from "./locales";

/** Anything with a language; a translator has one. */
interface Speaker {
  readonly language: Language;
}

// Decided by language, not by country: the British write 9:00 but say 9am.
const SAYS_HOURS_UP_TO_TWELVE = inEachLanguage(
  (language) => new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12 ?? false,
);
// Made once: making a formatter takes longer than running a loader.
const day = formats({ dateStyle: "long" });
const dayOfYear = formats({ day: "numeric", month: "long" });
const year = new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone: "Europe/Warsaw" });
const wholeHour = formats({ hour: "numeric", timeZone: "UTC" });
const clockTime = formats({ timeStyle: "short" });
const dayAndTime = formats({ dateStyle: "short", timeStyle: "short" });

/** "9:05" or "9:05am" in Poland; `time` in ms since the epoch. */
export function clockTimeInPoland({ language }: Speaker, time: number): string {
  return normalised(clockTime[language].format(time));
}

/** "20 listopada 2026" or "20 November 2026" in Poland, from an ISO 8601 time or date. It stays on one line. */
export function dayInPoland({ language }: Speaker, iso: string): string {
  return day[language].format(new Date(iso)).replace(/\s/g, "\u00A0");
}

/** "10 grudnia" or "10 December" for an ISO day in the year of `today`; a day in another year carries it. */
export function dueDay(speaker: Speaker, iso: string, today: string): string {
  if (iso.slice(0, 4) !== today.slice(0, 4)) return dayInPoland(speaker, iso);
  return dayOfYear[speaker.language].format(new Date(iso)).replace(/\s/g, "\u00A0");
}

/** "20 listopada 2026, 9:05" or "20 November 2026, 9:05am" in Poland, from an ISO 8601 time. */
export function momentInPoland(speaker: Speaker, iso: string): string {
  return `${dayInPoland(speaker, iso)}, ${clockTimeInPoland(speaker, Date.parse(iso))}`;
}

/** "20.11.2026, 9:05" or "20/11/2026, 9:05am" in Poland; `time` in ms since the epoch. */
export function timeInPoland({ language }: Speaker, time: number): string {
  return normalised(dayAndTime[language].format(time));
}

/** The year in Poland: "2026"; `time` in ms since the epoch. */
export function yearInPoland(time: number): string {
  return year.format(time);
}

/** A full hour of the day, 0 to 24: "9:00", or "9am" in a language with a 12-hour clock. */
export function fullHour({ language }: Speaker, hour: number): string {
  if (!SAYS_HOURS_UP_TO_TWELVE[language]) return `${hour}:00`;
  return normalised(wholeHour[language].format(Date.UTC(2026, 0, 1, hour)));
}

/** Normalises a time (F19): no zero before the hour, no space after the minutes. */
function normalised(time: string): string {
  return time.replace(/\b0(?=\d:)/, "").replace(/\s(?=[ap]m$)/, "");
}

function formats(style: Intl.DateTimeFormatOptions): Readonly<Record<Language, Intl.DateTimeFormat>> {
  return inEachLanguage(
    (language) =>
      new Intl.DateTimeFormat(LOCALES[language], {
        timeZone: "Europe/Warsaw",
        hourCycle: SAYS_HOURS_UP_TO_TWELVE[language] ? "h12" : "h23",
        ...style,
      }),
  );
}

// Currencies are named by their codes, but a Pole writes "zł".
const amounts = inEachLanguage((language) => ({
  PLN: amountFormat(language, "PLN", language === "pl" ? "symbol" : "code"),
  EUR: amountFormat(language, "EUR", "code"),
}));

function amountFormat(language: Language, currency: Currency, currencyDisplay: "symbol" | "code") {
  return new Intl.NumberFormat(LOCALES[language], {
    style: "currency",
    currency,
    currencyDisplay,
    // Polish would leave "1234,50" whole.
    useGrouping: "always",
  });
}

/**
 * "1 234,50 zł", "129,00 EUR" or "PLN 1,234.50". It doesn't break at its spaces. The decimal text never becomes a number
 * (ECMA-402 formats it as it is).
 */
export function amountText(
  { language }: Speaker,
  { amount, currency }: Pick<Premium, "amount" | "currency">,
): string {
  return amounts[language][currency].format(amount as Intl.StringNumericLiteral).replace(/\s/g, "\u00A0");
}

const KILOBYTE = 1000;
const MEGABYTE = 1000 * KILOBYTE;

const sizes = inEachLanguage((language) => ({
  kilobytes: formatOf(language, "kilobyte", { maximumFractionDigits: 0 }),
  megabytes: formatOf(language, "megabyte", { maximumFractionDigits: 1 }),
}));

/** The size of a file as people read it: "38 kB", "1,2 MB". It doesn't break at its space, and is never 0. */
export function fileSize({ language }: { readonly language: Language }, bytes: number): string {
  const kilobytes = Math.max(Math.ceil(bytes / KILOBYTE), 1);
  const { kilobytes: small, megabytes: large } = sizes[language];
  const text = kilobytes < KILOBYTE ? small.format(kilobytes) : large.format(bytes / MEGABYTE);
  return text.replace(/\s/g, "\u00A0");
}

function formatOf(
  language: Language,
  unit: "kilobyte" | "megabyte",
  digits: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return new Intl.NumberFormat(LOCALES[language], { style: "unit", unit, ...digits });
}
