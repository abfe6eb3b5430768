import { RemixI18Next } from "remix-i18next/server";
import { asLanguage, DEFAULT_LANGUAGE, LANGUAGES, type Language } from "~/i18n/languages";
import { textsIn, type Translate } from "~/i18n/texts.server";
import { readCookie } from "./cookies.server";

// Only the choice made in the footer counts, not the browser's preference.
const languages = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: DEFAULT_LANGUAGE,
    order: ["custom"],
    findLocale: (request) => Promise.resolve(readCookie(request, "language") ?? null),
  },
});

/** The language of a request: the one chosen in the footer, or Polish. */
export async function languageOf(request: Request): Promise<Language> {
  return asLanguage(await languages.getLocale(request)) ?? DEFAULT_LANGUAGE;
}

/** The texts in a request's language. */
export async function textsFor(request: Request): Promise<Translate> {
  return textsIn(await languageOf(request));
}
