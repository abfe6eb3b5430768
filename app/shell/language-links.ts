import type { LanguageLink } from "~/ui/footer";

/** Links to this page in the other languages. `here`: its path and query, to return to. */
export function languageLinks(
  languages: readonly Pick<LanguageLink, "lang" | "text">[],
  here: string,
): readonly LanguageLink[] {
  const back = encodeURIComponent(here);
  return languages.map(({ lang, text }) => ({ href: `/language/${lang}?back=${back}`, lang, text }));
}
