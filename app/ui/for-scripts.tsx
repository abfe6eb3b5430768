import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Translate } from "~/i18n/texts.server";
import { PageTexts, useTexts } from "~/i18n/use-texts";

interface PartForScripts {
  /** The enhancement that puts it into the page. */
  readonly name: string;
  readonly shown: ReactElement;
  /** The text that the enhancement announces. */
  readonly said?: string | undefined;
}

/**
 * A part of the page that is useless without scripts, like a copy button, as the attributes of an element. It waits
 * there for its enhancement, because text browsers show even `hidden` elements and templates.
 */
export function partForScripts(t: Translate, { name, shown, said }: PartForScripts) {
  return {
    "data-for-scripts": name,
    "data-said": said,
    "data-html": renderToStaticMarkup(<PageTexts.Provider value={t}>{shown}</PageTexts.Provider>),
  };
}

/** Such a part, at its place in the page. */
export function ForScripts({
  children,
  ...part
}: Omit<PartForScripts, "shown"> & { readonly children: ReactElement }) {
  return <span {...partForScripts(useTexts(), { ...part, shown: children })} />;
}
