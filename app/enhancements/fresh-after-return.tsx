// Without it: browsers that keep no page in memory ask the server by themselves (every page is `no-store`).
import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * When the browser brings a page back from memory, what it shows may be over: the server is asked again, and a page
 * that belongs to an ended session makes way (S55).
 */
export function FreshAfterReturn() {
  const { revalidate } = useRevalidator();
  const ask = useRef(revalidate);
  ask.current = revalidate;
  useEffect(() => {
    const returned = ({ persisted }: PageTransitionEvent) => {
      if (persisted) ask.current();
    };
    window.addEventListener("pageshow", returned);
    return () => {
      window.removeEventListener("pageshow", returned);
    };
  }, []);
  return null;
}
