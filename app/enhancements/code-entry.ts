// Without it: the buttons are always there, and the server answers.
import { useEffect, useRef, useState } from "react";

/**
 * What has been typed into the code field, for the buttons: a code is worth sending unless it is empty or the one just
 * rejected, and after a wrong one the resend link is hidden until the value changes (specification §2 MFA, §8 007).
 * `rejected`: the code that was sent last was wrong.
 */
export function useCodeEntry(rejected: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  // Unknown until the page is alive: until then nothing is disabled and nothing hidden.
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
