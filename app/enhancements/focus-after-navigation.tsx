// Without it: the browser loads each page in full and starts at its top.
import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * After a client-side navigation, or in another language, the heading gets the focus and is read out (C-03). The same
 * happens on the same page when the pressed button has gone, together with the row that it removed: the result stands
 * at the heading.
 */
export function FocusAfterNavigation({ language }: { readonly language: string }) {
  const { pathname, key } = useLocation();
  const { state } = useNavigation();
  const page = language + pathname;
  const shown = useRef(page);
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    if (state === "submitting") pressed.current = document.activeElement;
  }, [state]);
  useEffect(() => {
    const isSamePage = shown.current === page;
    // A screen may have moved the focus by itself, as to the field for a code.
    const isFocusLost = pressed.current?.isConnected === false && document.activeElement === document.body;
    shown.current = page;
    pressed.current = null;
    if (isSamePage && !isFocusLost) return;
    window.scrollTo(0, 0);
    document.querySelector("h1")?.focus({ preventScroll: true });
  }, [page, key]);
  return null;
}
