import { addHardSpaces, holdTogether } from "./hard-spaces";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages";
import { polish } from "./polish.server";

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
