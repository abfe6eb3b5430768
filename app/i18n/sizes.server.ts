import { LANGUAGES, type Language } from "./languages";
import { LOCALES } from "./locales";

const KILOBYTE = 1000;
const MEGABYTE = 1000 * KILOBYTE;

// Made once: making one takes longer than running a loader.
const formats = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    {
      kilobytes: formatOf(language, "kilobyte", { maximumFractionDigits: 0 }),
      megabytes: formatOf(language, "megabyte", { maximumFractionDigits: 1 }),
    },
  ]),
) as Record<Language, Record<"kilobytes" | "megabytes", Intl.NumberFormat>>;

/** The size of a file as people read it: "38 kB", "1,2 MB". It doesn't break at its space, and is never 0. */
export function fileSize({ language }: { readonly language: Language }, bytes: number): string {
  const kilobytes = Math.max(Math.ceil(bytes / KILOBYTE), 1);
  const { kilobytes: small, megabytes: large } = formats[language];
  const text = kilobytes < KILOBYTE ? small.format(kilobytes) : large.format(bytes / MEGABYTE);
  return text.replace(/\s/g, "\u00A0");
}

function formatOf(
  language: Language,
  unit: "kilobyte" | "megabyte",
  digits: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return new Intl.NumberFormat(LOCALES[language], { style: "unit", unit, ...digits });
}
