import type { FormAlert } from "./refused-form";

/** The texts of a summary made in the browser. */
export interface SummaryTexts {
  /** A title for one error, for two, and so on. */
  readonly titles: readonly string[];
  readonly text: string;
  /** For an empty field, with a gap for its label. */
  readonly requiredNamed: string;
}

/** The gap for a field's label. */
export const LABEL = "{{label}}";

/** What is wrong with a field: it is empty, breaks another rule, or the server has refused this very value. */
export interface FieldError {
  readonly field: string;
  readonly text: string;
  readonly kind: "empty" | "rule" | "server";
}

/** The summary of a form that the browser didn't send, like the server's (C-07), with the labels on the screen. */
export function summarizeErrors(
  { titles, text, requiredNamed }: SummaryTexts,
  faults: readonly FieldError[],
  form: HTMLFormElement,
): FormAlert {
  const items = faults.map((fault) => {
    const label = labelOf(form, fault.field);
    switch (fault.kind) {
      case "empty":
        return { field: fault.field, text: requiredNamed.replace(LABEL, () => label) };
      case "rule":
        return { field: fault.field, text: `${label}: ${fault.text}` };
      case "server":
        return { field: fault.field, text: fault.text };
    }
  });
  return { title: titles[items.length - 1] ?? "", text, items, speaksForFields: false };
}

function labelOf(form: HTMLFormElement, field: string): string {
  const input = form.elements.namedItem(field);
  return (input instanceof HTMLInputElement && input.labels?.[0]?.textContent) || field;
}
