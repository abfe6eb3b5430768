// Without it: a dialog is open at the top of the page, or a link to it opens it; its buttons are links and submits.
import { markTitle } from "./error-messages";
import { all, on, onArrival } from "./page";

/** A dialog's safe button: Esc presses it. It has the initial focus in alert dialogs, and in dialogs that a link opened. */
const SAFE = "[data-escape]";

/** Where the focus was before a dialog opened. */
const openers = new WeakMap<HTMLDialogElement, Element | null>();

/**
 * Makes dialogs modal, whether they are open from the start or opened by a link. Esc presses the safe button;
 * afterwards the focus returns to where it was (C-15, C-16). Esc also closes an explanation (C-20).
 */
export function startDialogs(): void {
  onArrival((root) => {
    for (const dialog of all("dialog[open]:not([data-modal])", root)) openModal(dialog);
  });
  on("click", followLink);
  // These two events don't bubble.
  on(
    "cancel",
    (event, dialog) => {
      event.preventDefault();
      dialog.querySelector<HTMLElement>(SAFE)?.click();
    },
    true,
  );
  on(
    "close",
    (_event, dialog) => {
      if (!(dialog instanceof HTMLDialogElement)) return;
      // Chromium closes it on a second Esc, even if the first one was cancelled.
      if (isOpenedByPage(dialog)) dialog.showModal();
      else giveFocusBack(dialog);
    },
    true,
  );
  on("keydown", closeExplanation);
}

/** Opens a dialog over the page. Its heading gets the focus, or the safe button (see `SAFE`). */
export function openModal(dialog: HTMLElement): void {
  if (!(dialog instanceof HTMLDialogElement)) return;
  openers.set(dialog, document.activeElement);
  // `:modal` is newer than modal dialogs, so the stylesheet uses an attribute. showModal() on an open dialog throws.
  dialog.dataset["modal"] = "";
  dialog.open = false;
  dialog.showModal();
  const first = dialog.getAttribute("role") === "alertdialog" || !isOpenedByPage(dialog) ? SAFE : "h2";
  dialog.querySelector<HTMLElement>(first)?.focus();
}

/** Takes a dialog off the page. */
export function closeModal(dialog: HTMLDialogElement): void {
  dialog.remove();
  giveFocusBack(dialog);
}

/** Whether the page came with this dialog open; the others stand inside an element that a link leads to. */
function isOpenedByPage(dialog: HTMLDialogElement): boolean {
  return !dialog.parentElement?.id || dialog.parentElement.localName === "main";
}

function followLink(event: MouseEvent, target: Element): void {
  const message = target.closest("a[data-closes]")?.closest("dialog");
  if (message) {
    // The link leads to the same screen: closing the dialog is enough, and keeps the typed values.
    event.preventDefault();
    closeModal(message);
    markTitle(false);
  }
  const link = target.closest<HTMLAnchorElement>('a[href^="#"]');
  if (!link) return;
  const inside = link.closest("dialog");
  const dialog = document.getElementById(link.hash.slice(1))?.querySelector(":scope > dialog");
  if (inside instanceof HTMLDialogElement && inside.open) {
    event.preventDefault();
    inside.close();
  } else if (dialog instanceof HTMLDialogElement) {
    event.preventDefault();
    openModal(dialog);
    openers.set(dialog, link);
  }
}

function giveFocusBack(dialog: HTMLDialogElement): void {
  const opener = openers.get(dialog);
  if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
  else document.querySelector("h1")?.focus();
}

function closeExplanation({ key }: KeyboardEvent, target: Element): void {
  const details = key === "Escape" ? target.closest("details[open]") : null;
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = false;
  details.querySelector("summary")?.focus();
}
