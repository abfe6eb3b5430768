import { useEffect, useRef, useState } from "react";
import type { RefusedForm } from "./refused-form";

/** An error that only the server can find, and the value that it found. */
export interface HeldError {
  readonly value: string;
  readonly text: string;
}

/**
 * The server's refusal while its form is on the screen. With a code of the catalogue it is about the very values that
 * were sent: when one of them changes, nothing announces it any more, and when they are typed again it is back (F4).
 */
export function useRefusalInForm(formId: string, refused: RefusedForm | undefined) {
  const sent = useRef<FormData>();
  const held = useRef<Readonly<Record<string, HeldError>>>({});
  // The refusal itself, so that the next one counts at once.
  const [outdated, setOutdated] = useState<RefusedForm>();
  const isOutdated = refused !== undefined && outdated === refused;
  useEffect(() => {
    const form = document.getElementById(formId);
    const faults = Object.entries(refused?.result.error ?? {}).flatMap(([field, messages]) => {
      const input = form instanceof HTMLFormElement ? form.elements.namedItem(field) : null;
      const text = messages?.[0];
      return text !== undefined && input instanceof HTMLInputElement ? [{ field, input, text }] : [];
    });
    // Either half of a wrong pair may be the right one, so each may be sent again with the other changed.
    held.current = refused?.alert?.speaksForFields
      ? {}
      : Object.fromEntries(faults.map(({ field, input, text }) => [field, { value: input.value, text }]));
    if (refused?.errorCode === undefined || faults.length === 0) return;
    const before = faults.map(({ field, input }) => sent.current?.get(field) ?? input.value);
    const update = () => {
      setOutdated(faults.some(({ input }, nth) => input.value !== before[nth]) ? refused : undefined);
    };
    form?.addEventListener("input", update);
    return () => {
      form?.removeEventListener("input", update);
    };
  }, [formId, refused]);

  return {
    isOutdated,
    held,
    /** Notes what is being sent, for the refusal that may follow. */
    noteSent: (values: FormData) => {
      sent.current = values;
    },
    /** The error of a field: the server's while it stands, otherwise what the browser has found (`own`). */
    errorAt: (field: string, own: string | undefined) => {
      const said = refused?.errorCode === undefined ? undefined : refused.result.error?.[field]?.[0];
      if (!isOutdated) return said ?? own;
      return own === said ? undefined : own;
    },
  };
}
