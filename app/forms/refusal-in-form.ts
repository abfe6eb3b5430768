import { useEffect, useRef, useState } from "react";
import type { RefusedForm } from "./refused-form";

/** An error that only the server can find, and the value that it refused. */
export interface HeldError {
  readonly value: string;
  readonly text: string;
}

/**
 * The server's refusal while its form is on the screen. A refusal with a code of the catalogue is about the values that
 * were sent: it is hidden when one of them changes, and comes back when they are typed again (F4).
 */
export function useRefusalInForm(formId: string, refused: RefusedForm | undefined) {
  const sent = useRef<FormData>();
  const held = useRef<Readonly<Record<string, HeldError>>>({});
  // Stored with the refusal, so that a new refusal counts at once.
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
    // Of a wrong pair, one half may be right, so it may be sent again when the other changes.
    held.current = refused?.alert?.speaksForFields
      ? {}
      : Object.fromEntries(faults.map(({ field, value, text }) => [field, { value, text }]));
    if (refused?.errorCode === undefined || faults.length === 0) return;
    const update = () => {
      setLook({ refused, isOutdated: faults.some(({ input, value }) => input.value !== value) });
    };
    // The visitor may have kept typing while the answer was on its way.
    update();
    form?.addEventListener("input", update);
    return () => {
      form?.removeEventListener("input", update);
    };
  }, [formId, refused]);

  const isOutdated = look?.refused === refused && look?.isOutdated === true;
  return {
    isOutdated,
    /** The last comparison of the values: a new object after each change. */
    look,
    held,
    /** Notes what is being sent, for the refusal that may follow. */
    noteSent: (values: FormData) => {
      sent.current = values;
    },
    /** A field's error: the server's while it stands, otherwise the browser's (`own`). */
    errorAt: (field: string, own: string | undefined) => {
      const said = refused?.errorCode === undefined ? undefined : refused.result.error?.[field]?.[0];
      if (!isOutdated) return said ?? own;
      return own === said ? undefined : own;
    },
  };
}
