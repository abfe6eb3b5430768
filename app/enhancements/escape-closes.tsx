// Without it: what was opened is closed by the words that opened it.
import { useEffect } from "react";

/** Esc closes the explanation that one is in, and leads back to the words that opened it (C-20). */
export function EscapeCloses() {
  useEffect(() => {
    const close = ({ key, target }: KeyboardEvent) => {
      const open = key === "Escape" && target instanceof Element ? target.closest("details[open]") : null;
      if (!(open instanceof HTMLDetailsElement)) return;
      open.open = false;
      open.querySelector("summary")?.focus();
    };
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("keydown", close);
    };
  }, []);
  return null;
}
