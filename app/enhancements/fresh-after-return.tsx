// Without it: browsers that keep no page in memory ask the server anyway (every page is `no-store`).
import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * When the browser brings a page back from memory, it may be out of date: we ask the server again, and a page of an
 * ended session is replaced (S55).
 */
export function FreshAfterReturn() {
  const { revalidate } = useRevalidator();
  const refresh = useRef(revalidate);
  refresh.current = revalidate;
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) refresh.current();
    };
    window.addEventListener("pageshow", onPageShow);
    return () => {
      window.removeEventListener("pageshow", onPageShow);
    };
  }, []);
  return null;
}
