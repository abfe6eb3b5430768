import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Texts by their whole key: `signIn:username.label`, a plural with its form: `validation:summary.title_one`. */
export type Texts = ReadonlyMap<string, string>;

/** Text messages are in Polish for everybody: a backend doesn't know who reads which language. */
const POLISH_ONLY = "sms:";
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** The texts of one language, from its folder in `locales`. */
export function readTexts(root: string, language: string): Texts {
  const folder = join(root, "locales", language);
  const files = readdirSync(folder).toSorted();
  return new Map(
    files.flatMap((file) =>
      flatten(file.replace(/\.json$/, ":"), JSON.parse(readFileSync(join(folder, file), "utf8"))),
    ),
  );
}

/** How the English texts differ from the Polish ones, a line for each key: keys, plural forms, gaps to fill in. */
export function localeFaults(polish: Texts, english: Texts): readonly string[] {
  const wanted = new Map([...polish].filter(([key]) => !key.startsWith(POLISH_ONLY)));
  return [
    ...missing("en", english, wanted),
    ...missing("pl", wanted, english),
    ...plurals("pl", polish),
    ...plurals("en", english),
    ...[...english].flatMap(([key, text]) => otherGaps(key, text, wanted)),
  ];
}

function missing(language: string, there: Texts, wanted: Texts): string[] {
  const known = stems(there);
  return [...stems(wanted)].filter((key) => !known.has(key)).map((key) => `locales/${language} lacks ${key}`);
}

/** A text that counts has one form for each category of its language, and no other. */
function plurals(language: string, texts: Texts): string[] {
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted().join(", ");
  const counting = new Set([...texts.keys()].filter((key) => PLURAL.test(key)).map(stem));
  return [...counting].flatMap((key) => {
    const own = [...texts.keys()].filter((candidate) => stem(candidate) === key);
    const forms = own.map((candidate) => PLURAL.exec(candidate)?.[1] ?? "none").toSorted();
    return forms.join(", ") === wanted
      ? []
      : [`locales/${language} has ${key} as ${forms.join(", ")}, and needs ${wanted}`];
  });
}

function otherGaps(key: string, text: string, polish: Texts): string[] {
  const original = [...polish].find(([candidate]) => stem(candidate) === stem(key));
  if (!original) return [];
  const [own, wanted] = [gaps(text), gaps(original[1])];
  return own === wanted ? [] : [`locales/en fills in ${own} at ${key}, and locales/pl ${wanted}`];
}

function stems(texts: Texts): ReadonlySet<string> {
  return new Set([...texts.keys()].map(stem));
}

function stem(key: string): string {
  return key.replace(PLURAL, "");
}

function gaps(text: string): string {
  const names = [...text.matchAll(/\{\{\w+(?:, hour)?\}\}/g)].map(([gap]) => gap);
  return names.length > 0 ? names.toSorted().join(", ") : "nothing";
}

function flatten(prefix: string, node: unknown): [string, string][] {
  if (typeof node === "string") return [[prefix, node]];
  if (typeof node !== "object" || node === null) throw new Error(`${prefix} is neither a text nor a group`);
  const dot = prefix.endsWith(":") ? "" : ".";
  return Object.entries(node).flatMap(([name, child]) => flatten(prefix + dot + name, child));
}
