import type { LanguageLink } from "~/ui/footer";

/** The link to this page in the other language. `here`: its path and query, to come back to. */
export function languageLink(
  { lang, text }: Pick<LanguageLink, "lang" | "text">,
  here: string,
): LanguageLink {
  return { href: `/language/${lang}?back=${encodeURIComponent(here)}`, lang, text };
}
