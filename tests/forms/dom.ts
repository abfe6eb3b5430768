// What a person sees and finds on a page, read from its HTML. It knows no styles and runs no scripts.
import { parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

/** An element of the page. */
export type Element = DefaultTreeAdapterTypes.Element;

/** Without scripts, so that `noscript` is read. */
export function parsePage(html: string): Node {
  return parse(html, { scriptingEnabled: false });
}

function isElement(node: Node): node is Element {
  return "tagName" in node;
}

/** All elements below a node, in the order of the page. */
export function* elementsIn(node: Node): Generator<Element> {
  if (!("childNodes" in node)) return;
  for (const child of node.childNodes) {
    if (isElement(child)) yield child;
    yield* elementsIn(child);
  }
}

/** An attribute's value; undefined if there is none. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** Whether an attribute is there, whatever its value. */
export function hasAttribute(element: Element, name: string): boolean {
  return attributeOf(element, name) !== undefined;
}

/** The element around this one. */
export function parentOf(element: Element): Element | undefined {
  return element.parentNode && isElement(element.parentNode) ? element.parentNode : undefined;
}

/** The element itself and all around it, from the inside. */
export function* around(element: Element): Generator<Element> {
  for (let at: Element | undefined = element; at; at = parentOf(at)) yield at;
}

/**
 * What the visitor has opened by the address or by a press. A `<dialog>` inside the element that the fragment names is
 * shown, and so is a `<details>` around it.
 */
export interface Opened {
  /** The address' fragment, without `#`. */
  readonly target: string;
  /** Those pressed an odd number of times. */
  readonly toggled: ReadonlySet<Element>;
}

const NEVER_SHOWN = new Set(["script", "style", "template", "title"]);

/** Whether a person sees the element, as far as HTML tells. */
export function isShown(element: Element, opened: Opened): boolean {
  for (const at of around(element)) {
    if (hasAttribute(at, "hidden") || NEVER_SHOWN.has(at.tagName)) return false;
    if (at.tagName === "dialog" && !isDialogOpen(at, opened)) return false;
    const details = parentOf(at);
    if (details?.tagName === "details" && !isSummary(at, details) && !isOpen(details, opened)) return false;
  }
  return true;
}

function isDialogOpen(dialog: Element, { target }: Opened): boolean {
  const holder = parentOf(dialog);
  return (
    hasAttribute(dialog, "open") ||
    (target !== "" && holder !== undefined && attributeOf(holder, "id") === target)
  );
}

function isSummary(element: Element, details: Element): boolean {
  return details.childNodes.find((child) => isElement(child) && child.tagName === "summary") === element;
}

/** Whether a `<details>` is open. */
export function isOpen(details: Element, { target, toggled }: Opened): boolean {
  const fromStart =
    hasAttribute(details, "open") ||
    (target !== "" && [...elementsIn(details)].some((element) => attributeOf(element, "id") === target));
  return fromStart !== toggled.has(details);
}

/** The words of a node that are shown, with single spaces. */
export function textOf(node: Node, opened?: Opened): string {
  return oneLine(wordsOf(node, opened));
}

/** Words with single spaces between them. */
export function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}

/** Elements that stand in a line of text. Others begin and end a line. */
const INLINE = new Set([
  "a",
  "b",
  "bdi",
  "button",
  "code",
  "em",
  "i",
  "kbd",
  "small",
  "span",
  "strong",
  "wbr",
]);

function wordsOf(node: Node, opened: Opened | undefined): string {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  if (!("childNodes" in node)) return "";
  if (isElement(node)) {
    if (NEVER_SHOWN.has(node.tagName) || (opened && !isShown(node, opened))) return "";
    if (node.tagName === "br") return " ";
  }
  const inside = node.childNodes.map((child) => wordsOf(child, opened)).join("");
  return INLINE.has(node.nodeName) ? inside : ` ${inside} `;
}

/** Finds an element of the page by its id. */
export function byId(page: Node, id: string): Element | undefined {
  for (const element of elementsIn(page)) if (attributeOf(element, "id") === id) return element;
  return undefined;
}

/** The accessible name of a control, link, dialog or picture: what a person calls it. */
export function nameOf(element: Element, page: Node): string {
  const label = attributeOf(element, "aria-label");
  if (label !== undefined) return oneLine(label);
  const named = textsOf(attributeOf(element, "aria-labelledby"), page);
  if (named !== "") return named;
  if (element.tagName === "img") return oneLine(attributeOf(element, "alt") ?? "");
  if (["input", "select", "textarea"].includes(element.tagName)) return labelOf(element, page);
  return textOf(element);
}

/** The description of a control: hint and error. */
export function descriptionOf(element: Element, page: Node): string {
  return textsOf(attributeOf(element, "aria-describedby"), page);
}

function textsOf(ids: string | undefined, page: Node): string {
  const found = (ids ?? "").split(/\s+/).map((id) => (id === "" ? undefined : byId(page, id)));
  return oneLine(found.map((element) => (element ? textOf(element) : "")).join(" "));
}

function labelOf(control: Element, page: Node): string {
  const id = attributeOf(control, "id");
  for (const element of elementsIn(page)) {
    if (element.tagName !== "label") continue;
    if (id !== undefined && attributeOf(element, "for") === id) return textOf(element);
    if ([...elementsIn(element)].includes(control)) return textOf(element);
  }
  return "";
}
