// Without it: the buttons are always there, and the server answers. People paste the code alone.
import { useEffect, useRef, useState, type ClipboardEvent } from "react";
import { codeIn } from "~/contract/rules";

/**
 * Watches the code field on behalf of the buttons: a code is worth sending unless it is empty or was just found wrong,
 * and after a wrong one the resend link is hidden until the value changes (specification §2 MFA, §8 007).
 * @param isWrong whether the field holds the code that was just found wrong
 */
export function useCodeEntry(isWrong: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  // Unknown until hydration: until then nothing is disabled and nothing hidden.
  const [code, setCode] = useState<string>();
  useEffect(() => {
    setCode(ref.current?.value ?? "");
  }, []);
  return {
    ref,
    onInput: () => {
      setCode(ref.current?.value ?? "");
    },
    /** A whole message was pasted: only its code is entered (F16). */
    onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
      const input = event.currentTarget;
      const code = codeIn(event.clipboardData.getData("text"));
      if (code === undefined) return;
      event.preventDefault();
      input.value = code;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    worthSending: code === undefined || (code !== "" && !isWrong),
    hidesResend: code !== undefined && isWrong,
  };
}
