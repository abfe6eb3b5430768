import accessibility from "../../locales/pl/accessibility.json";
import common from "../../locales/pl/common.json";
import confirmation from "../../locales/pl/confirmation.json";
import cookies from "../../locales/pl/cookies.json";
import cp from "../../locales/pl/cp.json";
import documentPassword from "../../locales/pl/documentPassword.json";
import errors from "../../locales/pl/errors.json";
import factors from "../../locales/pl/factors.json";
import helpDesk from "../../locales/pl/helpDesk.json";
import layout from "../../locales/pl/layout.json";
import signIn from "../../locales/pl/signIn.json";
import signOut from "../../locales/pl/signOut.json";
import signInCode from "../../locales/pl/signInCode.json";
import mail from "../../locales/pl/mail.json";
import password from "../../locales/pl/password.json";
import register from "../../locales/pl/register.json";
import service from "../../locales/pl/service.json";
import sms from "../../locales/pl/sms.json";
import staff from "../../locales/pl/staff.json";
import username from "../../locales/pl/username.json";
import validation from "../../locales/pl/validation.json";
import { addHardSpaces, holdTogether } from "./hard-spaces";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages";

/** All Polish texts, by namespace. Each namespace is a file in `locales/pl`. */
export const polish = {
  accessibility,
  common,
  confirmation,
  cookies,
  cp,
  documentPassword,
  errors,
  factors,
  helpDesk,
  layout,
  mail,
  signIn,
  signOut,
  signInCode,
  password,
  register,
  service,
  sms,
  staff,
  username,
  validation,
};

/** A language's texts, by namespace. Each namespace is a file in its folder. */
type LanguageTexts = Readonly<Record<string, object>>;

const FILES = import.meta.glob<object>("../../locales/*/*.json", { eager: true, import: "default" });

/** The texts of every language. Hard spaces after one-letter words are a Polish custom. */
export function allTexts(): Readonly<Record<Language, LanguageTexts>> {
  const read = LANGUAGES.map((language) => [language, holdTogether(textsOf(language))] as const);
  return {
    ...(Object.fromEntries(read) as Record<Language, LanguageTexts>),
    [DEFAULT_LANGUAGE]: holdTogether(addHardSpaces(polish)),
  };
}

function textsOf(language: Language): LanguageTexts {
  const folder = `../../locales/${language}/`;
  const own = Object.entries(FILES).filter(([path]) => path.startsWith(folder));
  return Object.fromEntries(own.map(([path, texts]) => [path.slice(folder.length, -".json".length), texts]));
}
