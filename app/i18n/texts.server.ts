import { createInstance, type ParseKeys, type TFunction, type TOptions } from "i18next";
import { brand } from "~/platform/brand.server";
import { english } from "./english.server";
import { addHardSpaces } from "./hard-spaces";
import { polish } from "./polish.server";

/** The languages that there are, as `<html lang>` and `locales` have them. */
export const LANGUAGES = ["pl", "en"] as const;
/** One of them. */
export type Language = (typeof LANGUAGES)[number];

/** Translates a key such as `signIn:header` into its language; every key is known to the compiler. */
export type Translate = Texts & { readonly language: Language };
type Texts = TFunction<(keyof typeof polish)[]>;

const NAMESPACES = Object.keys(polish) as (keyof typeof polish)[];
/** The language of a visitor who has chosen none. */
export const DEFAULT_LANGUAGE = "pl";

// One instance for the process: remix-i18next's own getFixedT makes one per call, 0.4 ms of CPU each.
const i18n = createInstance();
await i18n.init({
  lng: DEFAULT_LANGUAGE,
  fallbackLng: DEFAULT_LANGUAGE,
  supportedLngs: LANGUAGES,
  defaultNS: "common",
  ns: NAMESPACES,
  // React escapes; SMS and titles are plain text.
  interpolation: { escapeValue: false, defaultVariables: brand().hours },
  resources: { pl: addHardSpaces(polish), en: english },
});

/** A full hour: "9:00" or "9am". */
i18n.services.formatter?.add("hour", (value: number, language) =>
  language === "pl" ? `${value}:00` : `${value % 12 === 0 ? 12 : value % 12}${value % 24 < 12 ? "am" : "pm"}`,
);

/** The language of this name, if it is one of ours. */
export function asLanguage(name: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** The language that a page offers beside its own. */
export function otherLanguage(language: Language): Language {
  return language === "pl" ? "en" : "pl";
}

const translators = new Map<Language, Translate>();

/** The texts of a language, where there is no request (SMS). */
export function textsIn(language: Language = DEFAULT_LANGUAGE): Translate {
  const known = translators.get(language);
  if (known) return known;
  const made = Object.assign(rememberPlainTexts(i18n.getFixedT(language, NAMESPACES)), { language });
  translators.set(language, made);
  return made;
}

/** Most texts have nothing to fill in and never change: each page asks for some fifty of them, i18next once. */
function rememberPlainTexts(translate: Texts): Texts {
  const plain = new Map<string, string>();
  const remembering = (key: ParseKeys, facts?: TOptions): string => {
    if (facts !== undefined) return translate(key, facts);
    const known = plain.get(key);
    if (known !== undefined) return known;
    const text = translate(key);
    plain.set(key, text);
    return text;
  };
  return remembering as Texts;
}
