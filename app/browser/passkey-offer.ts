// Without it: nothing is offered; passkeys are added in My Data.
import { onArrival, partsFor } from "./page";

/** Offers a passkey after a sign-in by password, on a device that can keep one and ask for its person. */
export function startPasskeyOffer(): void {
  onArrival((root) => {
    const parts = partsFor("passkey-offer", root);
    if (parts.length > 0 && "PublicKeyCredential" in window) void offer(parts);
  });
}

async function offer(parts: ReturnType<typeof partsFor>): Promise<void> {
  try {
    if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return;
    for (const { place, copy } of parts) if (!place.firstChild) place.append(copy());
  } catch {
    // A browser inside another app may lack it.
  }
}
