import { useEffect } from "react";

/**
 * Shows no error when visitors leave an empty field for its own button or link (show, explain, "forgot it?"): they are
 * only passing through (C-08). Nor when they leave a field for the submit button: submitting checks everything, and a
 * message would move the button away from under the pointer. Conform listens on the document, so it never sees an event
 * stopped here.
 */
export function useNoErrorWhenSkipped(formId: string): void {
  useEffect(() => {
    const form = document.getElementById(formId);
    const leave = (event: FocusEvent) => {
      const { target: field, relatedTarget: next } = event;
      if (!(field instanceof HTMLInputElement) || !(next instanceof Element)) return;
      const passes = field.value === "" && field.closest("[data-field]")?.contains(next);
      if (passes || next.matches("[type=submit]")) event.stopPropagation();
    };
    form?.addEventListener("focusout", leave);
    return () => {
      form?.removeEventListener("focusout", leave);
    };
  }, [formId]);
}
