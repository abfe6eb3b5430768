import { domainToASCII } from "node:url";
import { readPhone } from "~/contract/rules";
import { blindIndex, type Keyring } from "../secrets/keyring.server";
import type { Tables } from "../store/tables.server";
import { openColumn } from "./customers.server";

/*
 * Keyed hashes of normalised name, phone and e-mail, by which the help desk finds customers. Lookups are exact: other
 * spellings match, parts don't.
 */

/** The values by which the help desk finds customers. */
export const FINDABLE = ["name", "phone", "email"] as const;
export type Findable = (typeof FINDABLE)[number];

const MARKS = /\p{M}/gu;
const NO_WORD = /[^\p{L}\p{N}]+/u;
/** Letters that Unicode doesn't decompose. */
const STROKES: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe" };

/**
 * The form in which names are compared: words in small letters without diacritics and signs, in alphabetical order. So
 * "NOWAK  Anna" and "Anna Nowak" are the same, and so are "Wójcik" and "Wojcik": callers spell on the phone, and not
 * every keyboard has Polish letters.
 */
function comparedName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(MARKS, "").toLowerCase();
  const letters = Array.from(plain, (letter) => STROKES[letter] ?? letter).join("");
  return letters.split(NO_WORD).filter(Boolean).sort().join(" ");
}

/** Small letters, and the domain in ASCII: few mail servers tell capital letters apart. */
function comparedEmail(email: string): string {
  const text = email.trim().normalize("NFC").toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  return `${text.slice(0, at + 1)}${domainToASCII(domain) || domain}`;
}

const COMPARED: Readonly<Record<Findable, (value: string) => string>> = {
  name: comparedName,
  phone: readPhone,
  email: comparedEmail,
};

/** The form in which a value is compared; empty if nothing of it is left. */
export function comparedForm(by: Findable, value: string): string {
  return COMPARED[by](value);
}

/** The columns of the hashes, and the columns whose values they are of. */
export const FIND_COLUMNS = {
  name_index: { by: "name", of: "name_sealed" },
  phone_index: { by: "phone", of: "phone_sealed" },
  new_phone_index: { by: "phone", of: "new_phone_sealed" },
  email_index: { by: "email", of: "email_sealed" },
} as const;

/** The hash of a value. */
export function findIndex(keyring: Keyring, by: Findable, value: string, version = keyring.current): string {
  // A kind of its own: hashes that count messages to a number can't be matched with these.
  return blindIndex(keyring, `find-${by}`, comparedForm(by, value), version);
}

/** Makes one of the hashes from its row; null if there is nothing to hash. */
export function indexOfRow(
  keyring: Keyring,
  row: Tables["customers"],
  column: keyof typeof FIND_COLUMNS,
): string | null {
  const { by, of } = FIND_COLUMNS[column];
  const sealed = row[of];
  return sealed === null ? null : findIndex(keyring, by, openColumn(keyring, row.id, of, sealed));
}
