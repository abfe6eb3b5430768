/**
 * How words that identify somebody are read, alike on both sides of the contract. Plain functions: the browser uses
 * them too.
 */

/** A username as it is kept and shown: NFC, without outer white space. */
export function readUsername(typed: string): string {
  return typed.normalize("NFC").trim();
}

/** What usernames are compared by: without case, after NFC. */
export function usernameKey(typed: string): string {
  return readUsername(typed).toLowerCase().normalize("NFC");
}

/** A password as it is counted, checked and hashed: its NFC form; never trimmed, cleaned or cut. */
export function readPassword(typed: string): string {
  return typed.normalize("NFC");
}

/** A one-time code without the spaces that people paste with it ("123 456"). */
export function readCode(typed: string): string {
  return typed.replace(/\s/gu, "");
}

/** A policy or application number as it is compared: trimmed, upper case. */
export function readPolicyNo(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}

/** A personal identifier (PESEL, identity document, NIP) as it is compared: trimmed, upper case; no checksum. */
export function readPid(typed: string): string {
  return typed.normalize("NFC").trim().toUpperCase();
}
