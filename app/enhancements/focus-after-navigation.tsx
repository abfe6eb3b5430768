// Without it: the browser loads each page in full and starts at its top.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** After a client-side navigation, or in another language, the heading gets the focus and is read out (C-03). */
export function FocusAfterNavigation({ language }: { readonly language: string }) {
  const { pathname } = useLocation();
  const page = language + pathname;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    window.scrollTo(0, 0);
    document.querySelector("h1")?.focus({ preventScroll: true });
  }, [page]);
  return null;
}
