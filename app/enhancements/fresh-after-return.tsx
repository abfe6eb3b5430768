// Without it: browsers that keep no page in memory ask the server anyway (every page is `no-store`).
import { useEffect, useRef } from "react";
import { useAskServer } from "./lost-connection";

/**
 * When the browser brings a page back from memory, it may be out of date: we ask the server again, and a page of an
 * ended session is replaced (S55).
 */
export function FreshAfterReturn() {
  const askServer = useAskServer();
  const refresh = useRef(askServer);
  refresh.current = askServer;
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
