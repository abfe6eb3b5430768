// Without it: every answer is a new page anyway.
import { useEffect, useRef } from "react";

/** Moves the focus to an element that takes the place of the one just pressed, so that it isn't lost (C-18). */
export function useFocusOnArrival(id: string, hasArrived: boolean): void {
  const had = useRef(hasArrived);
  useEffect(() => {
    if (hasArrived && !had.current) document.getElementById(id)?.focus();
    had.current = hasArrived;
  }, [id, hasArrived]);
}
