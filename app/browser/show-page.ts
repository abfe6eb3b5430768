// Without it: the browser shows each answer as a new page.
import { all, arrived } from "./page";
import { navigate, showSpinner } from "./requests";

/** Every field that people fill in. */
const FIELDS = "input[id]:not([readonly]):not([disabled]):not([type=hidden])";
/** Fields whose values stay when the language changes: no passwords, codes or identifiers (F17). */
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
  const before = shownNow();
  if (typed !== "none") keepTyped(document, page, typed === "all" ? FIELDS : HARMLESS);
  const next = {
    body: document.adoptNode(page.body),
    title: page.title,
    language: page.documentElement.lang,
  };
  if (asNewEntry) {
    keep(before, entry);
    history.replaceState({ entry }, "");
    keep(next);
    history.pushState({ entry }, "");
  } else if (entry !== undefined) keep(next, entry);
  swap(next);
}

/** The pages that entries of the history show, as long as this document lives. */
const pages = new Map<unknown, Shown>();
/** The entry on the screen; undefined as long as no page was shown as a new one. */
let entry: unknown;

/** Shows the right page after Back and Forward among pages that were shown in place. */
export function startHistory(): void {
  // After a reload the server's page is in this entry, whatever was in it before.
  if (markOf(history.state) !== undefined) history.replaceState(null, "");
  addEventListener("popstate", () => {
    const mark = markOf(history.state);
    // An entry without a mark is a link within the page on the screen.
    if (mark === undefined) {
      if (entry !== undefined) history.replaceState({ entry }, "");
    } else if (mark !== entry) showEntry(mark);
  });
}

function showEntry(mark: unknown): void {
  const page = pages.get(mark);
  // It was shown before a reload.
  if (!page) {
    navigate(location.href, { replace: true });
    return;
  }
  keep(shownNow(), entry);
  keep(page, mark);
  swap(page);
}

/** Keeps a page as that of an entry, which is on the screen from now on. */
function keep(page: Shown, known?: unknown): void {
  // No mark of an earlier document returns after a reload.
  entry = known ?? Math.random();
  pages.set(entry, page);
}

function markOf(state: unknown): unknown {
  return typeof state === "object" && state !== null && "entry" in state ? state.entry : undefined;
}

function shownNow(): Shown {
  return { body: document.body, title: document.title, language: document.documentElement.lang };
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
  // Taking a dialog off the page ends its modal state, so it has to be opened again.
  for (const dialog of all("dialog[open]", body)) delete dialog.dataset["modal"];
  showSpinner();
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
