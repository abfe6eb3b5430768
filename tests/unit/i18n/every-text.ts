import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTexts } from "~/i18n/locale-faults.server";
import { LANGUAGES, type Language } from "~/i18n/languages";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PLURAL = /_(one|few|many|other)$/;

/** One text with its full key: `signIn:username.label`. */
export interface Text {
  readonly key: string;
  readonly text: string;
}

/** The files of `locales`. */
export const FILES: readonly { readonly file: string; readonly source: string }[] = LANGUAGES.flatMap(
  (language) =>
    readdirSync(join(ROOT, "locales", language)).map((name) => {
      const file = join("locales", language, name);
      return { file, source: readFileSync(join(ROOT, file), "utf8") };
    }),
);

/** Every Polish text, in the order of the files. */
export const TEXTS: readonly Text[] = textsOf("pl");
/** Every English text. */
export const ENGLISH_TEXTS: readonly Text[] = textsOf("en");

/** The keys as the code names them: one for all forms of a plural. */
export const KEYS: readonly string[] = [...new Set(TEXTS.map(({ key }) => key.replace(PLURAL, "")))];

function textsOf(language: Language): Text[] {
  return [...readTexts(ROOT, language)].map(([key, text]) => ({ key, text }));
}

/** The product's source files, with their text. */
export const SOURCES: readonly { readonly path: string; readonly source: string }[] = readdirSync(
  join(ROOT, "app"),
  {
    recursive: true,
    encoding: "utf8",
  },
)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: `app/${path}`, source: readFileSync(join(ROOT, "app", path), "utf8") }));

const NAMESPACE = `(?:${[...new Set(KEYS.map((key) => key.split(":")[0]))].join("|")})`;

/** The keys that the code names in full. */
export const NAMED_KEYS: readonly { readonly path: string; readonly key: string }[] = SOURCES.flatMap(
  ({ path, source }) =>
    [...source.matchAll(new RegExp(`"(${NAMESPACE}:[\\w.]+)"`, "g"))].flatMap(([, key]) =>
      key === undefined ? [] : [{ path, key }],
    ),
);

/** The templates from which the code builds keys, as written: `errors:page.${status}.header`. */
export const TEMPLATES: readonly string[] = [
  ...new Set(
    SOURCES.flatMap(({ source }) =>
      [...source.matchAll(new RegExp(`\`(${NAMESPACE}:[^\`]*\\$\\{[^\`]*)\``, "g"))].flatMap(([, template]) =>
        template === undefined ? [] : [template],
      ),
    ),
  ),
];
