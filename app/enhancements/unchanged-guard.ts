// Without it: the same values are sent again, and refused again.
import { useContext, useEffect, useRef, type FormEvent, type RefObject } from "react";
import { ConnectionLost } from "./lost-connection";

/** Long enough for a screen reader to notice that the alert was gone (C-10), in ms. */
const REANNOUNCE_MS = 100;

interface UnchangedGuardOptions {
  readonly fields: readonly string[];
  /** The field to empty after a refusal. */
  readonly clear: string;
  /** The current refusal; while it stands, the values that caused it are not sent again. */
  readonly refused: object | undefined;
  readonly alertRef: RefObject<HTMLElement>;
  /** Whether nothing is being sent, only a field checked. */
  readonly isFieldCheck: (event: FormEvent<HTMLFormElement>) => boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * "The form submits only if the fields differ from the last submitted values" (specification §2, Login): otherwise the
 * alert is read out again instead. The submitted values stay in memory only.
 */
export function useUnchangedGuard({
  fields,
  clear,
  refused,
  alertRef,
  isFieldCheck,
  onSubmit,
}: UnchangedGuardOptions) {
  const sent = useRef<string>();
  const formRef = useRef<HTMLFormElement>();
  const lost = useContext(ConnectionLost);

  useEffect(() => {
    const field = refused && formRef.current?.elements.namedItem(clear);
    if (field instanceof HTMLInputElement) field.value = "";
  }, [refused, clear]);

  return (event: FormEvent<HTMLFormElement>) => {
    if (isFieldCheck(event)) {
      onSubmit(event);
      return;
    }
    formRef.current = event.currentTarget;
    const data = new FormData(event.currentTarget);
    const values = JSON.stringify(fields.map((field) => data.get(field)));
    if (refused && !lost && values === sent.current) {
      event.preventDefault();
      announceAgain(alertRef.current);
      return;
    }
    onSubmit(event);
    if (!event.defaultPrevented) sent.current = values;
  };
}

/** Screen readers skip identical text unless it was gone for a moment. */
function announceAgain(alert: HTMLElement | null): void {
  if (!alert) return;
  alert.hidden = true;
  setTimeout(() => {
    alert.hidden = false;
    alert.focus();
  }, REANNOUNCE_MS);
}
