import { LANGUAGES, type Language, type Translate } from "./texts.server";

const LOCALES = { pl: "pl-PL", en: "en-GB" } as const satisfies Record<Language, string>;

const clockTime = inEachLanguage({ timeStyle: "short" });
const day = inEachLanguage({ dateStyle: "long" });
const dayAndTime = inEachLanguage({ dateStyle: "short", timeStyle: "short" });

/** "12:05" in Poland; `time` in ms since the epoch. */
export function clockTimeInPoland({ language }: Pick<Translate, "language">, time: number): string {
  return clockTime[language].format(time);
}

/** "20 listopada 2026" or "20 November 2026" in Poland, of an ISO 8601 time or date. */
export function dayInPoland({ language }: Pick<Translate, "language">, iso: string): string {
  return day[language].format(new Date(iso));
}

/** "20.11.2026, 12:05" or "20/11/2026, 12:05" in Poland. */
export function timeInPoland({ language }: Pick<Translate, "language">, time: Date): string {
  return dayAndTime[language].format(time);
}

// Made once: making one takes longer than a loader does.
function inEachLanguage(style: Intl.DateTimeFormatOptions): Record<Language, Intl.DateTimeFormat> {
  const made = LANGUAGES.map((language) => [
    language,
    new Intl.DateTimeFormat(LOCALES[language], { ...style, timeZone: "Europe/Warsaw" }),
  ]);
  return Object.fromEntries(made) as Record<Language, Intl.DateTimeFormat>;
}
