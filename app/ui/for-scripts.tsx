import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/**
 * Something that only scripts can make useful, such as a button that copies. It waits in an attribute for the
 * enhancement of that name, because text browsers show even what is `hidden` or in a `<template>`. No context reaches it.
 * @param said what the enhancement announces
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
