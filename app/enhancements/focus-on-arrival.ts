// Without it: every answer is a new page anyway.
import { useEffect, useRef } from "react";

/** Moves the focus to what comes next once the button just pressed has gone, so that it isn't lost (C-18). */
export function useFocusOnArrival(id: string, hasArrived: boolean): void {
  const had = useRef(hasArrived);
  useEffect(() => {
    if (hasArrived && !had.current) document.getElementById(id)?.focus();
    had.current = hasArrived;
  }, [id, hasArrived]);
}
