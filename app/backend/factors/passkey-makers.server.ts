import list from "./passkey-makers.json" with { type: "json" };

const MAKERS: ReadonlyMap<string, string> = new Map(Object.entries(list.makers));

/**
 * The name of the device or password manager that made a passkey; undefined if it is unknown or hidden.
 * @param aaguid in small letters (WebAuthn, AAGUID)
 */
export function makerOf(aaguid: string | null): string | undefined {
  return aaguid === null ? undefined : MAKERS.get(aaguid);
}
