/**
 * How identifying input is normalised on both sides of the contract. Plain functions, because the browser uses them
 * too.
 */

/** A username as stored and shown: NFC, without surrounding white space. */
export function readUsername(typed: string): string {
  return typed.normalize("NFC").trim();
}

/** A username as compared: lower case, NFC. */
export function usernameKey(typed: string): string {
  return readUsername(typed).toLowerCase().normalize("NFC");
}

/** A password as counted, checked and hashed: in NFC; never trimmed, cleaned or truncated. */
export function readPassword(typed: string): string {
  return typed.normalize("NFC");
}

/** A one-time code without the spaces people paste along with it ("123 456"). */
export function readCode(typed: string): string {
  return typed.replace(/\s/gu, "");
}

/** A policy or application number as compared: trimmed, upper case. */
export function readPolicyNo(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}

/** A personal identifier (PESEL, identity document, NIP) as compared: trimmed, upper case; no checksum. */
export function readPid(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}
