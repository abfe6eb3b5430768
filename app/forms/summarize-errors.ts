import type { FormAlert } from "./refused-form";

/** The words of a summary that the browser makes itself. */
export interface SummaryTexts {
  /** A title for one error, for two, and so on. */
  readonly titles: readonly string[];
  readonly text: string;
  /** For a field that is empty, with a place for its label. */
  readonly requiredNamed: string;
}

/** Where a text has the place of a field's label. */
export const LABEL = "{{label}}";

/** What is wrong with a field: empty, against another rule, or what the server has said of this very value. */
export interface FieldError {
  readonly field: string;
  readonly text: string;
  readonly kind: "empty" | "rule" | "server";
}

/** The summary of a form that the browser did not send, like the server's (C-07); labels are those on the screen. */
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
