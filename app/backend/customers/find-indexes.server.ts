import { domainToASCII } from "node:url";
import { readPhone } from "~/contract/rules";
import { blindIndex, type Keyring } from "../secrets/keyring.server";
import type { Tables } from "../store/tables.server";
import { openColumn } from "./customers.server";

/*
 * Keyed hashes of normalised name, phone and e-mail, by which the help desk finds customers. A look-up matches the whole
 * value in any spelling, but no part of a value.
 */

/** The values by which the help desk finds customers. */
export const FINDABLE = ["name", "phone", "email"] as const;
export type Findable = (typeof FINDABLE)[number];

const MARKS = /\p{M}/gu;
const NO_WORD = /[^\p{L}\p{N}]+/u;
/** Letters that Unicode doesn't decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe" };

/**
 * The form in which names are compared: words in small letters without diacritics and signs, in alphabetical order. So
 * "NOWAK  Anna" and "Anna Nowak" match, and so do "Wójcik" and "Wojcik": callers spell names on the phone, and not
 * every keyboard has Polish letters.
 */
function comparedName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(MARKS, "").toLowerCase();
  const letters = Array.from(plain, (letter) => PLAIN_LETTERS[letter] ?? letter).join("");
  return letters.split(NO_WORD).filter(Boolean).sort().join(" ");
}

/** The form in which addresses are compared: small letters, as few mail servers tell capitals apart; domain in ASCII. */
function comparedEmail(email: string): string {
  const text = email.trim().normalize("NFC").toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  return `${text.slice(0, at + 1)}${domainToASCII(domain) || domain}`;
}

const COMPARED_FORMS: Readonly<Record<Findable, (value: string) => string>> = {
  name: comparedName,
  phone: readPhone,
  email: comparedEmail,
};

/** The form in which a value is compared; empty if nothing of it is left. */
export function comparedForm(by: Findable, value: string): string {
  return COMPARED_FORMS[by](value);
}

/** For each column with a hash: the kind of value (`by`), and the column that holds the sealed value (`of`). */
export const FIND_COLUMNS = {
  name_index: { by: "name", of: "name_sealed" },
  phone_index: { by: "phone", of: "phone_sealed" },
  new_phone_index: { by: "phone", of: "new_phone_sealed" },
  email_index: { by: "email", of: "email_sealed" },
} as const;

/** The keyed hash of a value, for the column of its kind. */
export function findIndex(keyring: Keyring, by: Findable, value: string, version = keyring.current): string {
  // The hashes that count messages to a number have another kind, so the two can't be matched.
  return blindIndex(keyring, `find-${by}`, comparedForm(by, value), version);
}

/** Makes the hash for a column of a customer's row; null if the row has no such value. */
export function indexOfRow(
  keyring: Keyring,
  row: Tables["customers"],
  column: keyof typeof FIND_COLUMNS,
): string | null {
  const { by, of } = FIND_COLUMNS[column];
  const sealed = row[of];
  return sealed === null ? null : findIndex(keyring, by, openColumn(keyring, row.id, of, sealed));
}
