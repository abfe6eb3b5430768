import { LOCALES } from "./locales";

/** The code of one of the portal's languages. */
export type Language = keyof typeof LOCALES;

/** All languages, in the order a page offers them. */
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

/** For visitors who haven't chosen a language; also the reference for all others. */
export const DEFAULT_LANGUAGE = "pl" satisfies Language;

/** The languages that a page offers besides its own. */
export function otherLanguages(language: Language): readonly Language[] {
  return LANGUAGES.filter((other) => other !== language);
}

/** Makes something once for each language, when the process starts: for what is the same on every page. */
export function inEachLanguage<Value>(
  make: (language: Language) => Value,
): Readonly<Record<Language, Value>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<
    Language,
    Value
  >;
}
