// Without it: people type the code from the message, or the phone's keyboard offers it.
import { useEffect, type RefObject } from "react";

/** WebOTP (WICG), unknown to TypeScript. */
interface MessageCredential extends Credential {
  readonly code?: string;
}
interface MessageRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ["sms"] };
}

/**
 * Fills in the code from the message, and sends nothing: people check the rest of the form first (C-39). It listens
 * until the form is sent, and again for the next message.
 * @param sent which message we wait for; none when undefined
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
      // Declined, unsupported here, or aborted.
      () => undefined,
    );
    input.form?.addEventListener("submit", stop);
    return () => {
      stop();
      input.form?.removeEventListener("submit", stop);
    };
  }, [ref, sent]);
}
