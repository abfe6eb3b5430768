// Without it: an explanation is closed by the words that opened it.
import { useEffect } from "react";

/** Esc closes the explanation that has the focus, and moves the focus back to the words that opened it (C-20). */
export function EscapeCloses() {
  useEffect(() => {
    const close = ({ key, target }: KeyboardEvent) => {
      const details = key === "Escape" && target instanceof Element ? target.closest("details[open]") : null;
      if (!(details instanceof HTMLDetailsElement)) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("keydown", close);
    };
  }, []);
  return null;
}
