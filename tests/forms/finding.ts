// Finds what a person looks for on a page: places, controls by their words, texts.
import type { DefaultTreeAdapterTypes } from "parse5";
import type { Offer, Place, Words } from "../e2e/journey-visitor";
import {
  around,
  attributeOf,
  elementsIn,
  hasAttribute,
  isShown,
  nameOf,
  oneLine,
  textOf,
  type Element,
  type Opened,
} from "./dom";

type Node = DefaultTreeAdapterTypes.Node;

/** A page and what the visitor has opened in it. */
export interface View {
  readonly page: Node;
  readonly opened: Opened;
}

/** Whether a text is these words: all of it, or what the pattern asks for. */
export function isWords(text: string, words: Words): boolean {
  return typeof words === "string" ? text === oneLine(words) : words.test(text);
}

/** Whether a text has these words in it. */
export function hasWords(text: string, words: Words): boolean {
  return typeof words === "string" ? text.includes(oneLine(words)) : words.test(text);
}

/** The element that a place names; undefined if the page has none that is shown. */
export function findPlace(view: View, place: Place = {}): Element | undefined {
  const { landmark, dialog, section, id, item, fact } = place;
  const everywhere = dialog !== undefined || id !== undefined;
  let at = first(view, view.page, ({ tagName }) => tagName === (landmark ?? (everywhere ? "body" : "main")));
  const narrow = (is: (element: Element) => boolean) => {
    at = at && first(view, at, is);
  };
  if (dialog !== undefined)
    narrow((element) => element.tagName === "dialog" && isWords(nameOf(element, view.page), dialog));
  if (section !== undefined) narrow((element) => element.tagName === "section" && isHeaded(element, section));
  if (id !== undefined) narrow((element) => attributeOf(element, "id") === id);
  if (item !== undefined)
    narrow((element) => element.tagName === "li" && hasWords(textOf(element, view.opened), item));
  if (fact !== undefined) {
    const term = at && first(view, at, (one) => one.tagName === "dt" && hasWords(textOf(one), fact));
    const around_ = term && [...around(term)].find(({ tagName }) => tagName === "div");
    at = around_ && first(view, around_, ({ tagName }) => tagName === "dd");
  }
  return at;
}

function first(view: View, within: Node, is: (element: Element) => boolean): Element | undefined {
  for (const element of elementsIn(within)) if (is(element) && isShown(element, view.opened)) return element;
  return undefined;
}

function isHeaded(section: Element, words: Words): boolean {
  return [...elementsIn(section)].some(
    (element) => /^h[1-6]$/.test(element.tagName) && isWords(textOf(element), words),
  );
}

const OFFERS: Readonly<Record<Offer, (element: Element) => boolean>> = {
  button: (element) => element.tagName === "button" || attributeOf(element, "type") === "submit",
  link: (element) => element.tagName === "a" && hasAttribute(element, "href"),
  heading: ({ tagName }) => /^h[1-6]$/.test(tagName),
  item: ({ tagName }) => tagName === "li",
  field: (element) =>
    ["input", "select", "textarea"].includes(element.tagName) &&
    !["hidden", "submit"].includes(attributeOf(element, "type") ?? ""),
  picture: (element) => element.tagName === "img" || attributeOf(element, "role") === "img",
  dialog: ({ tagName }) => tagName === "dialog",
};

/** Everything of a kind that the place shows under these words: exactly these, but for items, which have them inside. */
export function offersOf(view: View, kind: Offer, words: Words | undefined, place?: Place): Element[] {
  const within = findPlace(view, place);
  if (!within) return [];
  return [...elementsIn(within)].filter((element) => {
    if (!OFFERS[kind](element) || !isShown(element, view.opened)) return false;
    if (words === undefined) return true;
    if (kind === "item") return hasWords(textOf(element, view.opened), words);
    return isWords(nameOf(element, view.page), words);
  });
}

/** The field of the main part with this name or label. */
export function fieldNamed(view: View, name: string): Element | undefined {
  const main = findPlace(view);
  if (!main) return undefined;
  const controls = [...elementsIn(main)].filter(OFFERS.field);
  return (
    controls.find((one) => attributeOf(one, "name") === name) ??
    controls.find((one) => nameOf(one, view.page) === name)
  );
}

/** The summary that folds something under these words. */
export function summaryOf(view: View, words: Words): Element | undefined {
  return first(
    view,
    view.page,
    (element) =>
      element.tagName === "summary" &&
      (hasWords(textOf(element), words) ||
        [...elementsIn(element)].some((inside) => isWords(textOf(inside), words))),
  );
}
