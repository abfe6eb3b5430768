import { createInstance, type ParseKeys, type TFunction, type TOptions } from "i18next";
import {
  CODE_DIGITS,
  MOST_FACTOR_NAME,
  PASSWORD_LENGTH,
  RECOVERY_CHARACTERS,
  RECOVERY_END,
  USERNAME_LENGTH,
} from "~/contract/rules";
import { brand, helplinePhone, isFreeToCall } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { LONGEST_COOKIE_DAYS } from "~/platform/config/limits";
import { VERSION } from "~/platform/release.server";
import { allTexts, type polish } from "./all-texts.server";
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from "./languages";
import { fullHour } from "./times.server";

type Namespace = keyof typeof polish;
/** A plain signature: a missing text is one error of the compiler, and what uses the result has none. */
type Texts = (key: ParseKeys<Namespace[]>, facts?: TOptions) => string;
/** Translates a key such as `signIn:header` into its language; the compiler knows every key. */
export type Translate = Texts & { readonly language: Language };

/** Formats that add a noun to a number, in the form that fits the number: `{{trustedDays, days}}`. */
export const COUNTED = ["days", "daysWithin", "times"] as const;

/** Facts that every text can use: the insurer's name, hours and numbers, the rules, and the limits in force. */
export function figures() {
  const { limits } = environment();
  const { name, hours, phones, claims } = brand();
  return {
    brand: name,
    version: VERSION,
    ...hours,
    phone1: phones[0],
    phone2: phones[1],
    phone: helplinePhone(phones),
    assistance: claims.assistance,
    // The same all over the European Union (Directive (EU) 2018/1972, article 109).
    emergency: "112",
    codeDigits: CODE_DIGITS,
    recoveryCharacters: RECOVERY_CHARACTERS,
    recoveryEnd: RECOVERY_END,
    recoveryMinutes: limits.FACTOR_RECOVERY_SECONDS / 60,
    blockMinutes: limits.FACTOR_BLOCK_SECONDS / 60,
    factorNameMax: MOST_FACTOR_NAME,
    passwordMin: PASSWORD_LENGTH.min,
    passwordMax: PASSWORD_LENGTH.max,
    usernameMin: USERNAME_LENGTH.min,
    usernameMax: USERNAME_LENGTH.max,
    usernameChanges: limits.USERNAME_CHANGES,
    usernameChangeDays: limits.USERNAME_CHANGE_DAYS,
    trustedDays: limits.TRUSTED_DEVICE_DAYS,
    cookieDays: LONGEST_COOKIE_DAYS,
  };
}

const RESOURCES = allTexts();
const NAMESPACES = Object.keys(RESOURCES[DEFAULT_LANGUAGE]) as Namespace[];

// One instance per process: remix-i18next's own getFixedT makes one per call, at 0.4 ms of CPU each.
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
    return unfilled(language, `count.${noun}_${form}`).replace("{{count}}", String(count));
  });
// "800 100 200 (free)": only a number that is free says what a call costs (F11).
i18n.services.formatter?.add("phone", (phone: string, language) =>
  isFreeToCall(phone) ? `${phone} (${unfilled(language, "helpline.free")})` : phone,
);

/** A text of `common` for a format. Not by `t`: a nested call would start the interpolation of the outer text again. */
function unfilled(language: string | undefined, key: string): string {
  return i18n.getResource(language ?? DEFAULT_LANGUAGE, "common", key) as string;
}

const translators = new Map<Language, Translate>();

/** The texts of a language, for callers without a request (SMS). */
export function textsIn(language: Language = DEFAULT_LANGUAGE): Translate {
  const known = translators.get(language);
  if (known) return known;
  const made = Object.assign(rememberTexts(i18n.getFixedT(language, NAMESPACES)), { language });
  translators.set(language, made);
  return made;
}

/** Caches texts without placeholders: a page uses about fifty, and i18next would build each one again. */
function rememberTexts(translator: TFunction<Namespace[]>): Texts {
  const translate = translator as Texts;
  const plain = new Map<TextKey, string>();
  return (key, facts) => {
    if (facts !== undefined) return translate(key, facts);
    const text = plain.get(key) ?? translate(key);
    plain.set(key, text);
    return text;
  };
}

/** The key of a text, with its namespace: `signIn:header`. */
export type TextKey = ParseKeys<(keyof typeof polish)[]>;

/** Several texts, joined by spaces. */
export function sentences(t: Translate, keys: readonly TextKey[]): string {
  return keys.map((key) => t(key)).join(" ");
}
