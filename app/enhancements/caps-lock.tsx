// Without it: many browsers and phones show Caps Lock themselves.
import { useEffect, useState, type RefObject } from "react";

/** Tells people that Caps Lock is on while they type what they can't see. */
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
    // Only a key removes the hint: if leaving the field did, the button being pressed would move.
    const update = (event: Event) => {
      // A password manager fires "key events" that aren't KeyboardEvents.
      if (event instanceof KeyboardEvent) setOn(event.getModifierState("CapsLock"));
    };
    const events = ["keydown", "keyup"];
    for (const name of events) input?.addEventListener(name, update);
    return () => {
      for (const name of events) input?.removeEventListener(name, update);
    };
  }, [inputRef]);
  return (
    <p role="status" className={on ? "mt-1.5 text-sm font-semibold text-accent-text" : undefined}>
      {on ? text : ""}
    </p>
  );
}
