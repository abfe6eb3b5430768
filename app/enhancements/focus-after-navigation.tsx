// Without it: the browser loads each page in full and starts at its top.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** After a client-side navigation the new screen's heading gets the focus and is read out (C-03). */
export function FocusAfterNavigation() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    document.querySelector("h1")?.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}
