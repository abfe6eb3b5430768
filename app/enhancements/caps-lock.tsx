// Without it: many browsers and phones show by themselves that Caps Lock is on.
import { useEffect, useState, type RefObject } from "react";

/** Says that Caps Lock is on while one types what cannot be seen. */
export function CapsLockHint({
  inputRef,
  text,
}: {
  readonly inputRef: RefObject<HTMLInputElement>;
  readonly text: string;
}) {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const input = inputRef.current;
    // A key alone takes the hint away: when the field is left, the button that is being pressed would move.
    const look = (event: Event) => {
      // What a password manager fills in comes as a key that is none.
      if (event instanceof KeyboardEvent) setOn(event.getModifierState("CapsLock"));
    };
    const events = ["keydown", "keyup"];
    for (const name of events) input?.addEventListener(name, look);
    return () => {
      for (const name of events) input?.removeEventListener(name, look);
    };
  }, [inputRef]);
  return (
    <p role="status" className={on ? "mt-1.5 text-sm font-semibold text-orange-700" : undefined}>
      {on ? text : ""}
    </p>
  );
}
