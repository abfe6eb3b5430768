import { useEffect } from "react";

/**
 * Nothing is said of a field that is left empty for a button or a link of its own (show, explain, "forgot it?"): a
 * person is only passing through (C-08). Nor of one that is left for the button that sends the form: that checks
 * everything, and a message would move the button away from under the pointer. Conform listens at the document; it does
 * not hear of it.
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
