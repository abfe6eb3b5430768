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
  // With the refusal itself, so that the next one counts at once.
  const [look, setLook] = useState<{ readonly refused: RefusedForm; readonly isOutdated: boolean }>();
  useEffect(() => {
    const form = document.getElementById(formId);
    const faults = Object.entries(refused?.result.error ?? {}).flatMap(([field, messages]) => {
      const input = form instanceof HTMLFormElement ? form.elements.namedItem(field) : null;
      const text = messages?.[0];
      if (text === undefined || !(input instanceof HTMLInputElement)) return [];
      const value = sent.current?.get(field);
      return [{ field, input, value: typeof value === "string" ? value : input.value, text }];
    });
    // Either half of a wrong pair may be the right one, so each may be sent again with the other changed.
    held.current = refused?.alert?.speaksForFields
      ? {}
      : Object.fromEntries(faults.map(({ field, value, text }) => [field, { value, text }]));
    if (refused?.errorCode === undefined || faults.length === 0) return;
    const update = () => {
      setLook({ refused, isOutdated: faults.some(({ input, value }) => input.value !== value) });
    };
    // Somebody may have gone on typing while the answer was on its way.
    update();
    form?.addEventListener("input", update);
    return () => {
      form?.removeEventListener("input", update);
    };
  }, [formId, refused]);

  const isOutdated = look?.refused === refused && look?.isOutdated === true;
  return {
    isOutdated,
    /** The last look at the values: a new object at each change of one. */
    look,
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
