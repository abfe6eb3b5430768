import { readPid, readPolicyNo, usernameKey } from "~/contract/identifiers";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";

// Keyed hashes of the details that a visitor claims. They are the keys of caps, and of codes for unknown details.

/** The hash of a username. */
export function typedUsername(keyring: Keyring, username: string): string {
  return hashOfDetails(keyring, "username", usernameKey(username));
}

/** The hash of a policy number without an identifier. */
export function typedPolicy(keyring: Keyring, policyNo: string): string {
  return hashOfDetails(keyring, "policy", readPolicyNo(policyNo).compared);
}

/** The hash of a policy number and the personal identifier that goes with it. */
export function typedHolder(
  keyring: Keyring,
  { policyNo, pid }: { readonly policyNo: string; readonly pid: string },
): string {
  return hashOfDetails(keyring, "holder", readPolicyNo(policyNo).compared, readPid(pid).compared);
}

/** The hashes of the same details by which earlier releases count. */
export function typedBefore(
  keyring: Keyring,
  { policyNo, pid }: { readonly policyNo: string; readonly pid: string },
): readonly string[] {
  const [number, identifier] = [readPolicyNo(policyNo).typed, readPid(pid).typed];
  return [hashOfDetails(keyring, "policy", number), hashOfDetails(keyring, "holder", number, identifier)];
}

function hashOfDetails(
  keyring: Keyring,
  kind: "username" | "policy" | "holder",
  ...words: readonly string[]
): string {
  return steadyIndex(keyring, `typed-${kind}`, JSON.stringify(words));
}
