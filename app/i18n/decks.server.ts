import { addHardSpaces } from "./hard-spaces";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages";
import { polish } from "./polish.server";

/** The texts of a language, by namespace: one file in its folder each. */
export type Deck = Readonly<Record<string, object>>;

const FILES = import.meta.glob<object>("../../locales/*/*.json", { eager: true, import: "default" });

/** The texts of every language. Hard spaces after one-letter words are a Polish custom. */
export function decks(): Readonly<Record<Language, Deck>> {
  const read = LANGUAGES.map((language) => [language, deckOf(language)] as const);
  return {
    ...(Object.fromEntries(read) as Record<Language, Deck>),
    [DEFAULT_LANGUAGE]: addHardSpaces(polish),
  };
}

function deckOf(language: Language): Deck {
  const folder = `../../locales/${language}/`;
  const own = Object.entries(FILES).filter(([path]) => path.startsWith(folder));
  return Object.fromEntries(own.map(([path, texts]) => [path.slice(folder.length, -".json".length), texts]));
}
