// Without it: the same values are sent again, and refused again.
import { useEffect, useRef, type FormEvent, type RefObject } from "react";

/** Long enough for a screen reader to notice that the alert was emptied (C-10), in ms. */
const REANNOUNCE_MS = 100;

/** What the guard watches. */
export interface UnchangedGuardOptions {
  readonly fields: readonly string[];
  /** The field that a refusal empties. */
  readonly clear: string;
  /** The refusal in force; while it stands, the values that led to it are not sent again. */
  readonly refused: object | undefined;
  readonly alertRef: RefObject<HTMLElement>;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * "The form submits only if the fields differ from the last submitted values" (specification §2, Login): the alert is
 * read out again in the place of a request. What was sent is kept in memory only.
 */
export function useUnchangedGuard({ fields, clear, refused, alertRef, onSubmit }: UnchangedGuardOptions) {
  const sent = useRef<string>();
  const formRef = useRef<HTMLFormElement>();

  useEffect(() => {
    const field = refused && formRef.current?.elements.namedItem(clear);
    if (field instanceof HTMLInputElement) field.value = "";
  }, [refused, clear]);

  return (event: FormEvent<HTMLFormElement>) => {
    formRef.current = event.currentTarget;
    const data = new FormData(event.currentTarget);
    const values = JSON.stringify(fields.map((field) => data.get(field)));
    if (refused && values === sent.current) {
      event.preventDefault();
      announceAgain(alertRef.current);
      return;
    }
    onSubmit(event);
    if (!event.defaultPrevented) sent.current = values;
  };
}

/** Identical text is swallowed unless it was gone for a moment. */
function announceAgain(alert: HTMLElement | null): void {
  if (!alert) return;
  alert.hidden = true;
  setTimeout(() => {
    alert.hidden = false;
    alert.focus();
  }, REANNOUNCE_MS);
}
