// Without it: a dialog is open at the top of the page, or a link to it opens it; its buttons are links and submits.
import { useEffect, useRef } from "react";

/** Marks a dialog's safe button: Esc does what it does, and an alert dialog focuses it first. */
const SAFE = "[data-escape]";

/**
 * Makes a dialog that the page came with open modal: it focuses the heading, or the safe button of an alert dialog; Esc
 * does what that button does; afterwards the focus returns to where it was (C-15, C-16).
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
    const clickSafeButton = (event: Event) => {
      event.preventDefault();
      dialog.querySelector<HTMLElement>(SAFE)?.click();
    };
    // Chromium closes it on a second Esc, even if the first one was cancelled.
    const reopen = () => {
      if (canBeModal(dialog) && !dialog.open) showModal(dialog);
    };
    dialog.addEventListener("cancel", clickSafeButton);
    dialog.addEventListener("close", reopen);
    return () => {
      dialog.removeEventListener("cancel", clickSafeButton);
      dialog.removeEventListener("close", reopen);
      const opener = before === document.body ? null : before;
      if (opener?.isConnected) (opener as HTMLElement).focus();
      else document.querySelector("h1")?.focus();
    };
  }, []);
  return ref;
}

/**
 * Opens a dialog as modal when someone follows a link to its id, and focuses its safe button. Esc, or a link inside
 * that leads back to the page, closes it and moves the focus back to the first link.
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
    const focusOpener = () => opener?.focus();
    document.addEventListener("click", follow);
    dialog.addEventListener("close", focusOpener);
    return () => {
      document.removeEventListener("click", follow);
      dialog.removeEventListener("close", focusOpener);
    };
  }, [id]);
  return ref;
}

/** Old browsers lack showModal, whatever the types say. */
function canBeModal(dialog: HTMLDialogElement): boolean {
  return "showModal" in dialog;
}

/** `:modal` is newer than modal dialogs, so the stylesheet uses an attribute. */
function showModal(dialog: HTMLDialogElement): void {
  dialog.dataset["modal"] = "";
  dialog.showModal();
}
