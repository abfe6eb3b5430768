import { LOCALES } from "./locales";

/** A language of the portal, by its code. */
export type Language = keyof typeof LOCALES;

/** All of them, in the order in which a page offers them. */
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

/** The language of a visitor who has chosen none, and the one that all others are compared with. */
export const DEFAULT_LANGUAGE = "pl" satisfies Language;

/** The language of this name, if it is one of ours. */
export function asLanguage(name: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** The languages that a page offers beside its own. */
export function otherLanguages(language: Language): readonly Language[] {
  return LANGUAGES.filter((other) => other !== language);
}
