// Without it: the browser shows each answer as a new page.
import { arrived } from "./page";

/** Every field that people fill in. */
const FIELDS = "input[id]:not([readonly]):not([disabled]):not([type=hidden])";
/** Those that may be kept in another language: no passwords, codes or identifiers (F17). */
const HARMLESS = `${FIELDS}:not([type=password]):not([data-secret])`;

/** Reads a page that the server sent. */
export function readPage(html: string): Document {
  return new DOMParser().parseFromString(html, "text/html");
}

/**
 * Shows another page's `main` and title in place of this one's. Typed values stay in their fields, even secrets.
 * @param forgotten the fields that begin empty
 */
export function showMain(page: Document, forgotten = ":not(*)"): void {
  const [now, next] = [document.querySelector("main"), page.querySelector("main")];
  if (!now || !next) return;
  keepTyped(now, next, `${FIELDS}:not(${forgotten})`);
  now.replaceWith(document.adoptNode(next));
  document.title = page.title;
  arrived(next);
  focusOn(next, forgotten);
}

interface BodyOptions {
  /** The typed values that stay. */
  readonly typed: "all" | "harmless" | "none";
  /** As a new entry in the history, so that Back leads to the page before it. */
  readonly asNewEntry?: boolean;
}

/** Shows another page as a whole. */
export function showBody(page: Document, { typed, asNewEntry = false }: BodyOptions): void {
  const before = { body: document.body, title: document.title, language: document.documentElement.lang };
  if (typed !== "none") keepTyped(document, page, typed === "all" ? FIELDS : HARMLESS);
  const next = {
    body: document.adoptNode(page.body),
    title: page.title,
    language: page.documentElement.lang,
  };
  if (asNewEntry) {
    history.pushState({ shownInPlace: true }, "");
    onpopstate = () => {
      swap(isShownInPlace(history.state) ? next : before);
    };
  }
  swap(next);
}

function isShownInPlace(state: unknown): boolean {
  return typeof state === "object" && state !== null && "shownInPlace" in state;
}

interface Shown {
  readonly body: HTMLElement;
  readonly title: string;
  readonly language: string;
}

function swap({ body, title, language }: Shown): void {
  document.body.replaceWith(body);
  document.title = title;
  document.documentElement.lang = language;
  arrived(body);
  scrollTo(0, 0);
  focusOn(body, ":not(*)");
}

function keepTyped(from: ParentNode, to: ParentNode, selector: string): void {
  for (const field of from.querySelectorAll<HTMLInputElement>(selector)) {
    const again = to.querySelector(`#${CSS.escape(field.id)}`);
    if (!(again instanceof HTMLInputElement) && again?.localName !== "input") continue;
    Object.assign(again, { value: field.value, checked: field.checked });
  }
}

/** The focus goes to the message of a refusal (C-07), to the field of a new code, otherwise to the heading (C-03). */
function focusOn(root: ParentNode, forgotten: string): void {
  // A dialog takes the focus by itself.
  if (root.querySelector("dialog[open]")) return;
  const place = ["[role=alert][tabindex]", "[aria-invalid=true]", forgotten, "h1"]
    .map((selector) => root.querySelector<HTMLElement>(selector))
    .find((element) => element !== null);
  place?.focus();
  // As after Tab: typing then replaces the refused value.
  if (place instanceof HTMLInputElement) place.select();
}
