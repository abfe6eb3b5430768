/**
 * How identifying input is normalised on both sides of the contract. Plain functions, because the browser uses them
 * too.
 */

/** Characters that can't be seen: soft hyphens, zero-width spaces, marks of direction, and the like. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A username as stored and shown: NFC, without invisible characters and surrounding white space. */
export function readUsername(typed: string): string {
  return typed.normalize("NFC").replace(INVISIBLE, "").trim();
}

/** A username as compared: lower case, NFC. */
export function usernameKey(typed: string): string {
  return readUsername(typed).toLowerCase().normalize("NFC");
}

/** A password as counted, checked and hashed: in NFC; never trimmed, cleaned or truncated. */
export function readPassword(typed: string): string {
  return typed.normalize("NFC");
}

/**
 * A one-time code without what people and copying put between its digits ("123 456", "123-456.", full-width digits).
 * Letters stay, so that what isn't a code isn't taken for one.
 */
export function readCode(typed: string): string {
  return typed.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "");
}

/** A policy or application number as compared: trimmed, upper case. */
export function readPolicyNo(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}

/** A personal identifier (PESEL, identity document, NIP) as compared: trimmed, upper case; no checksum. */
export function readPid(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}
