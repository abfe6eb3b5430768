// Without it: the buttons are always there, and the server answers.
import { useEffect, useRef, useState } from "react";

/**
 * Follows the code field for the buttons: a code is worth sending unless it is empty or was just found wrong, and after
 * a wrong one the resend link is hidden until the value changes (specification §2 MFA, §8 007).
 * @param rejected whether the last code sent was wrong
 */
export function useCodeEntry(rejected: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  // Unknown until hydration: until then nothing is disabled and nothing hidden.
  const [code, setCode] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    setCode(ref.current?.value ?? "");
  }, []);
  useEffect(() => {
    setWrong(rejected ? (ref.current?.value ?? "") : undefined);
  }, [rejected]);
  return {
    ref,
    onInput: () => {
      setCode(ref.current?.value ?? "");
    },
    worthSending: code === undefined || (code !== "" && code !== wrong),
    hidesResend: code !== undefined && wrong !== undefined && code === wrong,
  };
}
