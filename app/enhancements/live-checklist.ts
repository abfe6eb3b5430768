// Without it: the conditions are a plain list, and the server says what is missing.
import { useEffect, useState, type RefObject } from "react";
import type { Weakness } from "~/forms/rules/weak-password";

/** Typing has stopped after this long (C-13), in ms. */
const ANNOUNCE_MS = 700;

/** The value of a field; undefined until hydration and while it is empty. */
export function useFieldValue(ref: RefObject<HTMLInputElement>): string | undefined {
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    const input = ref.current;
    if (!input) return;
    const read = () => {
      setTyped(input.value === "" ? undefined : input.value);
    };
    read();
    input.addEventListener("input", read);
    return () => {
      input.removeEventListener("input", read);
    };
  }, [ref]);
  return typed;
}

/** Why a password is easy to guess, if it is. The list of common words is loaded with the first whole password. */
export function useWeakness(password: string | undefined, personal: readonly string[]): Weakness | undefined {
  const [found, setFound] = useState<Weakness>();
  useEffect(() => {
    if (password === undefined) return;
    let isCurrent = true;
    import("~/forms/rules/weak-password").then(
      ({ weaknessOf }) => {
        if (isCurrent) setFound(weaknessOf(password, personal));
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [password, personal]);
  // While the next password is checked, the last result stays: otherwise the page would jump at each key.
  return password === undefined ? undefined : found;
}

/** A text that came with an answer (`since`), until the field's value differs from what it was then. */
export function useUntilChanged(
  ref: RefObject<HTMLInputElement>,
  typed: string | undefined,
  { text, since }: { readonly text: string | undefined; readonly since: object | undefined },
): string | undefined {
  const [then, setThen] = useState<{ readonly since: object | undefined; readonly value: string }>();
  useEffect(() => {
    setThen({ since, value: ref.current?.value ?? "" });
  }, [ref, since]);
  return then?.since === since && then?.value !== (typed ?? "") ? undefined : text;
}

/** The text once it hasn't changed for a moment, for screen readers. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, ANNOUNCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return settled;
}
