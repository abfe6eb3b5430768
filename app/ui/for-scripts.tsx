import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/**
 * A part of the page that is useless without scripts, like a copy button. It waits in an attribute for the enhancement
 * of that name, because text browsers show even `hidden` elements and templates. React contexts don't reach it.
 * @param said the text that the enhancement announces
 */
export function ForScripts({
  name,
  said,
  children,
}: {
  readonly name: string;
  readonly said?: string;
  readonly children: ReactElement;
}) {
  return <span data-for-scripts={name} data-said={said} data-html={renderToStaticMarkup(children)} />;
}
