// Without it: a dialog stands open at the top of the page, or is opened by a link to it; its buttons are links and submits.
import { useEffect, useRef } from "react";

/** What a dialog's safe button carries: Esc does the same, and a question puts the focus there. */
const SAFE = "[data-escape]";

/**
 * Makes a dialog that came open with the page a modal one: focus on its heading, or on the safe button where it
 * interrupts; Esc does what that button does; afterwards the focus is back where it was (C-15, C-16).
 */
export function useModalDialog() {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const before = document.activeElement;
    // showModal() on an open dialog throws.
    if (canBeModal(dialog)) {
      dialog.close();
      showModal(dialog);
    }
    const first = dialog.getAttribute("role") === "alertdialog" ? SAFE : "h2";
    dialog.querySelector<HTMLElement>(first)?.focus();
    const escape = (event: Event) => {
      event.preventDefault();
      dialog.querySelector<HTMLElement>(SAFE)?.click();
    };
    // Chromium closes it at a second Esc, whatever the first one was answered.
    const closed = () => {
      if (canBeModal(dialog) && !dialog.open) showModal(dialog);
    };
    dialog.addEventListener("cancel", escape);
    dialog.addEventListener("close", closed);
    return () => {
      dialog.removeEventListener("cancel", escape);
      dialog.removeEventListener("close", closed);
      const opener = before === document.body ? null : before;
      if (opener?.isConnected) (opener as HTMLElement).focus();
      else document.querySelector("h1")?.focus();
    };
  }, []);
  return ref;
}

/**
 * Opens a dialog as a modal one when a link to its id is followed: focus on its safe button, and back on the link when
 * it is closed, by Esc or by a link inside that leads back into the page.
 */
export function useLinkedDialog(id: string) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !canBeModal(dialog)) return;
    let opener: HTMLElement | null = null;
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[href^="#"]') : null;
      if (!link) return;
      if (dialog.contains(link)) {
        event.preventDefault();
        dialog.close();
      } else if (link.getAttribute("href") === `#${id}`) {
        event.preventDefault();
        opener = link;
        showModal(dialog);
        dialog.querySelector<HTMLElement>(SAFE)?.focus();
      }
    };
    const closed = () => opener?.focus();
    document.addEventListener("click", follow);
    dialog.addEventListener("close", closed);
    return () => {
      document.removeEventListener("click", follow);
      dialog.removeEventListener("close", closed);
    };
  }, [id]);
  return ref;
}

/** Old browsers know the element by name only, whatever the types say. */
function canBeModal(dialog: HTMLDialogElement): boolean {
  return "showModal" in dialog;
}

/** `:modal` is younger than modal dialogs: the stylesheet goes by an attribute. */
function showModal(dialog: HTMLDialogElement): void {
  dialog.dataset["modal"] = "";
  dialog.showModal();
}
