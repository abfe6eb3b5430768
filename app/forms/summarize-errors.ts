import type { FormAlert } from "./refused-form";

/** The texts of a summary made in the browser. */
export interface SummaryTexts {
  /** A title for one error, for two, and so on. */
  readonly titles: readonly string[];
  readonly text: string;
}

/** A field's error. `isHeld`: the server refused this very value, in words that name the field. */
export interface FieldError {
  readonly field: string;
  readonly text: string;
  readonly isHeld: boolean;
}

/** The summary of a form that the browser didn't send, like the server's (C-07), with the labels on the screen. */
export function summarizeErrors(
  { titles, text }: SummaryTexts,
  faults: readonly FieldError[],
  form: HTMLFormElement,
): FormAlert {
  const items = faults.map((fault) => ({
    field: fault.field,
    text: fault.isHeld ? fault.text : withLabel(labelOf(form, fault.field), fault.text),
  }));
  return { title: titles[items.length - 1] ?? "", text, items, speaksForFields: false };
}

/** A message after its field's name, as one sentence: "Hasło: dodaj cyfrę." */
export function withLabel(label: string, message: string): string {
  return `${label}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

function labelOf(form: HTMLFormElement, field: string): string {
  const input = form.elements.namedItem(field);
  return (input instanceof HTMLInputElement && input.labels?.[0]?.textContent) || field;
}
