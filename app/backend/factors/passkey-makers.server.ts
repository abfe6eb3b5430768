import { makers } from "./passkey-makers.json";

const MAKERS: ReadonlyMap<string, string> = new Map(Object.entries(makers));

/**
 * The name of the device or password manager that made a passkey; undefined if it is unknown or hidden.
 * @param aaguid in small letters (WebAuthn, AAGUID)
 */
export function makerOf(aaguid: string | null): string | undefined {
  return aaguid === null ? undefined : MAKERS.get(aaguid);
}
