// Without it: the server ignores a second request that comes as soon.
import { useEffect, useRef, useState, type MouseEvent } from "react";

/** Ignores what is clicked again within a time (ms) of a click; `waiting` meanwhile. */
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
