import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LANGUAGE, LANGUAGES } from "./languages";

/** Texts by full key: `signIn:username.label`, plurals with their form: `validation:summary.title_one`. */
export type Texts = ReadonlyMap<string, string>;
/** Texts by the name of their folder in `locales`. */
type TextsOfFolders = ReadonlyMap<string, Texts>;

/** Text messages and confirmations are in Polish, because the backend doesn't know a customer's language. */
const POLISH_ONLY = /^(sms|confirmation):/;
const PLURAL = /_(zero|one|two|few|many|other)$/;
const GAP = /\{\{\w+(?:, \w+)?\}\}/g;

/** Reads the texts of all folders of `locales`. */
export function readEveryFolder(root: string): TextsOfFolders {
  const folders = readdirSync(join(root, "locales")).toSorted();
  return new Map(folders.map((language) => [language, readTexts(root, language)]));
}

/** Reads the texts of one language from its folder in `locales`. */
export function readTexts(root: string, language: string): Texts {
  const folder = join(root, "locales", language);
  const files = readdirSync(folder).toSorted();
  return new Map(
    files.flatMap((file) =>
      flatten(file.replace(/\.json$/, ":"), JSON.parse(readFileSync(join(folder, file), "utf8"))),
    ),
  );
}

/**
 * All faults of `locales`, one line each: a folder without a language or the other way round, keys or placeholders
 * that differ from the Polish ones, and wrong plural forms.
 */
export function localeFaults(
  folders: TextsOfFolders,
  languages: readonly string[] = LANGUAGES,
): readonly string[] {
  const polish = folders.get(DEFAULT_LANGUAGE) ?? new Map<string, string>();
  const common = new Map([...polish].filter(([key]) => !POLISH_ONLY.test(key)));
  return [
    ...languages.filter((name) => !folders.has(name)).map((name) => `locales/${name} is missing`),
    ...[...folders.keys()]
      .filter((name) => !languages.includes(name))
      .map((name) => `locales/${name} has no line in app/i18n/locales.ts`),
    ...plurals(DEFAULT_LANGUAGE, polish),
    ...[...folders]
      .filter(([name]) => name !== DEFAULT_LANGUAGE)
      .flatMap(([name, texts]) => [
        ...missing(name, texts, common),
        ...missing(DEFAULT_LANGUAGE, common, texts).map((fault) => `${fault}, which locales/${name} has`),
        ...plurals(name, texts),
        ...otherGaps(name, texts, common),
      ]),
  ];
}

function missing(language: string, there: Texts, wanted: Texts): string[] {
  const known = stems(there);
  return [...stems(wanted)].filter((key) => !known.has(key)).map((key) => `locales/${language} lacks ${key}`);
}

/** A plural has exactly one form for each plural category of its language. */
function plurals(language: string, texts: Texts): string[] {
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted().join(", ");
  const formsOf = new Map<string, string[]>();
  for (const key of texts.keys())
    formsOf.set(stem(key), [...(formsOf.get(stem(key)) ?? []), PLURAL.exec(key)?.[1] ?? "none"]);
  return [...formsOf].flatMap(([key, forms]) => {
    const has = forms.toSorted().join(", ");
    return has === "none" || has === wanted
      ? []
      : [`locales/${language} has ${key} as ${has}, and needs ${wanted}`];
  });
}

function otherGaps(language: string, texts: Texts, polish: Texts): string[] {
  const originals = new Map([...polish].map(([key, text]) => [stem(key), gaps(text)]));
  return [...texts].flatMap(([key, text]) => {
    const [own, wanted] = [gaps(text), originals.get(stem(key))];
    return wanted === undefined || own === wanted
      ? []
      : [`locales/${language} fills in ${own} at ${key}, and locales/${DEFAULT_LANGUAGE} ${wanted}`];
  });
}

function stems(texts: Texts): ReadonlySet<string> {
  return new Set([...texts.keys()].map(stem));
}

function stem(key: string): string {
  return key.replace(PLURAL, "");
}

function gaps(text: string): string {
  const names = [...text.matchAll(GAP)].map(([gap]) => gap);
  return names.length > 0 ? names.toSorted().join(", ") : "nothing";
}

function flatten(prefix: string, node: unknown): [string, string][] {
  if (typeof node === "string") return [[prefix, node]];
  if (typeof node !== "object" || node === null) throw new Error(`${prefix} is neither a text nor a group`);
  const dot = prefix.endsWith(":") ? "" : ".";
  return Object.entries(node).flatMap(([name, child]) => flatten(prefix + dot + name, child));
}
