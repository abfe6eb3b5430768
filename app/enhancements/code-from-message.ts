// Without it: the code is typed from the message, or offered by the phone's keyboard.
import { useEffect, type RefObject } from "react";

/** WebOTP (WICG); TypeScript does not know it. */
interface MessageCredential extends Credential {
  readonly code?: string;
}
interface MessageRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ["sms"] };
}

/**
 * Fills in the code of the message that has come, and sends nothing: what else is on the form is for a person to look
 * at (C-39). It listens until the form is sent, and anew for another message: `sent` says which one is awaited.
 */
export function useCodeFromMessage(ref: RefObject<HTMLInputElement>, sent: string | undefined): void {
  useEffect(() => {
    const input = ref.current;
    if (sent === undefined || !input || !("OTPCredential" in window)) return;
    const listening = new AbortController();
    const stop = () => {
      listening.abort();
    };
    const request: MessageRequest = { otp: { transport: ["sms"] }, signal: listening.signal };
    navigator.credentials.get(request).then(
      (credential: MessageCredential | null) => {
        if (!credential?.code || listening.signal.aborted) return;
        input.value = credential.code;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
      // Declined, not possible here, or no longer wanted.
      () => undefined,
    );
    input.form?.addEventListener("submit", stop);
    return () => {
      stop();
      input.form?.removeEventListener("submit", stop);
    };
  }, [ref, sent]);
}
