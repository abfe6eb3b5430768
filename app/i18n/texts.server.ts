import { createInstance, type ParseKeys, type TFunction, type TOptions } from "i18next";
import { allTexts } from "./all-texts.server";
import { figures } from "./figures.server";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages";
import type { polish } from "./polish.server";
import { fullHour } from "./times.server";

/** Translates a key such as `signIn:header` into its language; every key is known to the compiler. */
export type Translate = Texts & { readonly language: Language };
type Namespace = keyof typeof polish;
type Texts = TFunction<Namespace[]>;

/** What a number in a text may be said as, `{{trustedDays, days}}`: with a noun, in the form that goes with the number. */
export const COUNTED = ["days", "daysWithin", "times"] as const;

const RESOURCES = allTexts();
const NAMESPACES = Object.keys(RESOURCES[DEFAULT_LANGUAGE]) as Namespace[];

// One instance for the process: remix-i18next's own getFixedT makes one per call, 0.4 ms of CPU each.
const i18n = createInstance();
await i18n.init({
  lng: DEFAULT_LANGUAGE,
  fallbackLng: DEFAULT_LANGUAGE,
  supportedLngs: LANGUAGES,
  defaultNS: "common",
  ns: NAMESPACES,
  // React escapes; SMS and titles are plain text.
  interpolation: { escapeValue: false, defaultVariables: figures() },
  resources: RESOURCES,
});

i18n.services.formatter?.add("hour", (hour: number, language) =>
  fullHour({ language: language as Language }, hour),
);
for (const noun of COUNTED)
  i18n.services.formatter?.add(noun, (count: number, language) => {
    const form = new Intl.PluralRules(language).select(count);
    // Not by a translator: one inside of another would begin to fill in the outer text again.
    const text = i18n.getResource(language ?? DEFAULT_LANGUAGE, "common", `count.${noun}_${form}`) as string;
    return text.replace("{{count}}", String(count));
  });

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
