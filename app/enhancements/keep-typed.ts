// Without it: the page is loaded again in the other language, and what was typed is lost.
import { useNavigate } from "@remix-run/react";
import { useCallback, useEffect, useRef, type RefCallback } from "react";

/** What may be kept: no passwords, codes or identifiers, and nothing that the server has filled in. */
const KEPT = "input[id]:not([type=password]):not([readonly])";

/**
 * Changes the language without loading the page again, and keeps what was typed, secrets excepted (F17).
 * @returns the ref of an element keyed by language: what is typed in one goes into the next, and is then forgotten
 */
export function useKeptTyped(): RefCallback<HTMLElement> {
  const navigate = useNavigate();
  const go = useRef(navigate);
  go.current = navigate;
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[hreflang]") : null;
      const href = link?.getAttribute("href");
      if (!href || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go.current(href, { replace: true });
    };
    document.addEventListener("click", follow);
    return () => {
      document.removeEventListener("click", follow);
    };
  }, []);
  const element = useRef<HTMLElement | null>(null);
  const typed = useRef<readonly HTMLInputElement[]>([]);
  return useCallback((now) => {
    // React calls this before it removes the old element, and again once the new one is there.
    if (!now) typed.current = inputsIn(element.current);
    else {
      for (const { id, value, checked } of typed.current) {
        // A secret that was shown is hidden again, so it has no match.
        const input = inputsIn(now).find((candidate) => candidate.id === id);
        if (input) Object.assign(input, { value, checked });
      }
      typed.current = [];
    }
    element.current = now;
  }, []);
}

function inputsIn(element: HTMLElement | null): readonly HTMLInputElement[] {
  return [...(element?.querySelectorAll<HTMLInputElement>(KEPT) ?? [])];
}
