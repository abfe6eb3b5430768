// Without it: the server ignores a second request that comes too soon.
import { useEffect, useRef, useState, type MouseEvent } from "react";

/** Ignores further clicks for `ms` milliseconds after a click; `waiting` is true meanwhile. */
export function useThrottle(ms: number) {
  const [waiting, setWaiting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const onClick = (event: MouseEvent) => {
    if (waiting) {
      event.preventDefault();
      return;
    }
    setWaiting(true);
    timer.current = setTimeout(setWaiting, ms, false);
  };
  return { waiting, onClick };
}
