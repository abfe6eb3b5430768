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

/** A policy number or personal identifier that somebody typed, or that is stored. */
export interface ReadNumber {
  /** In upper case, without spaces around it. Earlier releases stored numbers so, and compared them so. */
  readonly typed: string;
  /** Read as the contract says: one kind of dash and of space, nothing invisible. */
  readonly read: string;
  /** The form in which two are compared: what was read, without spaces and hyphens. Empty if it is no number. */
  readonly compared: string;
}

/** Reads a policy number. */
export function readPolicyNo(typed: string): ReadNumber {
  return readNumber(typed);
}

/** Reads a personal identifier: a PESEL, the number of an identity document, or a NIP. No checksum is demanded. */
export function readPid(typed: string): ReadNumber {
  return readNumber(typed);
}

/** Every dash: also two that look like one. */
const DASH = /[\p{Dash}\u02D7\u2043]/gu;
const SEPARATORS = /[ -]/g;

const PLAIN = /^[ -~]*$/;

function readNumber(text: string): ReadNumber {
  const typed = text.normalize("NFC").trim().toUpperCase();
  // Nearly all numbers are plain, and an import reads millions of them.
  const read = PLAIN.test(text) ? typed : readUnusual(text);
  return { typed, read, compared: read.replace(SEPARATORS, "") };
}

function readUnusual(text: string): string {
  return text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(DASH, "-")
    .replace(/\s/gu, " ")
    .trim()
    .toUpperCase()
    .normalize("NFKC");
}
