/**
 * The rules for what customers choose: passwords, usernames, document passwords (specification §5). Plain functions,
 * written once: the backend enforces them, the portal's forms explain them, and the browser checks them while customers
 * type.
 */

/** How many digits a one-time code has. */
export const CODE_DIGITS = 6;
const DIGITS = /^[0-9]+$/;

/** Whether it is digits only, as the specification asks of a code (§5). */
export function isDigits(typed: string): boolean {
  return DIGITS.test(readCode(typed));
}

/** Whether it could be a one-time code or one of an app: so many digits. Nothing else can be right. */
export function isCode(typed: string): boolean {
  return isDigits(typed) && readCode(typed).length === CODE_DIGITS;
}

/** How many characters a recovery code has: 120 bits in base32 (RFC 4648 §6). */
export const RECOVERY_CHARACTERS = 24;
/** How many characters of its end a customer types to show that it is written down. */
export const RECOVERY_END = 4;
const BASE32 = /^[A-Z2-7]*$/;
/** Digits that a recovery code can't have, and the letters that people copied them from. */
const MISREAD: Readonly<Record<string, string>> = { "0": "O", "1": "I", "8": "B" };
/** The last code among other words: six groups of four, as it is shown, or one piece. */
const CODE_AMONG_WORDS = /^(?:.* )?((?:[A-Z2-7]{4} ){5}[A-Z2-7]{4}|[A-Z2-7]{24})(?: |$)/;

/**
 * A recovery code as it is compared: its letters and digits, in upper case. Case, whatever stands between them and a
 * label before them don't count. Anything that isn't one stays too short or too long for one.
 */
export function readRecoveryCode(typed: string): string {
  const plain = typed
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toUpperCase()
    .replace(/[018]/g, (digit) => MISREAD[digit] ?? digit);
  // A label has the same letters as codes: it would complete a code that lacks a few characters.
  const [words = []] = plain
    .split(/[:=]\s/u)
    .map(wordsIn)
    .filter(({ length }) => length > 0)
    .slice(-1);
  const code = words.join("");
  if (code.length === RECOVERY_CHARACTERS) return code;
  return CODE_AMONG_WORDS.exec(words.join(" "))?.[1]?.replaceAll(" ", "") ?? code;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether it could be a recovery code. */
export function isRecoveryCode(typed: string): boolean {
  const read = readRecoveryCode(typed);
  return read.length === RECOVERY_CHARACTERS && BASE32.test(read);
}

/** Whether a code has the form that its method asks for. */
export function fitsMethod({
  method,
  authorizationCode,
}: {
  readonly method?: "app" | "passkey" | "recovery" | "sms" | undefined;
  readonly authorizationCode?: unknown;
}): boolean {
  if (method === "passkey") return true;
  if (typeof authorizationCode !== "string") return false;
  return method === "recovery" ? isRecoveryCode(authorizationCode) : isCode(authorizationCode);
}

/** A code as its method reads it. */
export function readCodeOf(method: string | undefined, typed: string): string {
  return method === "recovery" ? readRecoveryCode(typed) : readCode(typed);
}

/** Longest name of a factor, in code points (contract: factors). */
export const MOST_FACTOR_NAME = 50;

/** The largest answer of a passkey, as JSON in bytes. */
export const MOST_PASSKEY_ANSWER = 8 * 1024;

/** The name of a factor as it is kept. */
export function readFactorName(typed: string): string {
  return typed.normalize("NFC").trim();
}

/** Whether it could be a policy number or a personal identifier: more than spaces and hyphens. */
export function isNumber(typed: string): boolean {
  return readPid(typed).compared !== "";
}

/** The one code in a text that was pasted: the text is a code, or a message that has one. */
export function codeIn(text: string): string | undefined {
  const whole = readCode(text);
  if (isCode(whole)) return whole;
  const numbers = text.match(/[0-9]+/g) ?? [];
  const [code, ...others] = new Set(numbers.filter(({ length }) => length === CODE_DIGITS));
  return others.length === 0 ? code : undefined;
}

/** Length of a password, in code points of its NFC form. */
export const PASSWORD_LENGTH = { min: 12, max: 50 } as const;
/** Length of a username, in code points. */
export const USERNAME_LENGTH = { min: 5, max: 50 } as const;
/** The characters that count as special. */
export const SPECIAL_CHARACTERS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

const UPPERCASE = /[A-ZĄĆĘŁŃÓŚŹŻ]/;
const DIGIT = /[0-9]/;
const ASCII_LETTER = /[A-Za-z]/;
const USERNAME_CHARACTERS = /^[A-Za-zĄĆĘŁŃÓŚŹŻąćęłńóśźż0-9@.\-_]*$/;

/** The longest text in one field of a request, in UTF-16 code units as `maxlength` counts them (specification §9). */
export const MAX_TEXT_LENGTH = 4000;
/** Longest name of a device, in code points (backend contract). */
export const MOST_DEVICE_NAME = 100;
/** Characters that not every database can store: NUL and lone surrogates. */
export const NOT_STORABLE = /[\0\p{Surrogate}]/u;

/** The conditions of the checklist beside a new password, in the order shown. */
export const PASSWORD_CONDITIONS = ["length", "uppercase", "digit", "special"] as const;
/** One condition of the checklist. */
export type PasswordCondition = (typeof PASSWORD_CONDITIONS)[number];

/** The conditions that a password doesn't meet yet; if there are none, it may be used. */
export function unmetConditions(password: string): readonly PasswordCondition[] {
  const characters = [...readPassword(password)];
  const met: Record<PasswordCondition, boolean> = {
    length: characters.length >= PASSWORD_LENGTH.min && characters.length <= PASSWORD_LENGTH.max,
    uppercase: characters.some((character) => UPPERCASE.test(character)),
    digit: characters.some((character) => DIGIT.test(character)),
    special: characters.some((character) => SPECIAL_CHARACTERS.includes(character)),
  };
  return PASSWORD_CONDITIONS.filter((condition) => !met[condition]);
}

/** Whether a password has more characters than the rules allow. */
export function isPasswordTooLong(password: string): boolean {
  return [...readPassword(password)].length > PASSWORD_LENGTH.max;
}

/** The first character not allowed in a document password (Polish letters, spaces, anything unlisted), if any. */
export function illegalDocumentCharacter(password: string): string | undefined {
  return [...readPassword(password)].find(
    (character) =>
      !ASCII_LETTER.test(character) && !DIGIT.test(character) && !SPECIAL_CHARACTERS.includes(character),
  );
}

/** The rule that a username breaks: its length, a character, or that it has no letter from a to z. */
type UsernameRule = "length" | "chars" | "letter";

/** The first rule that a username breaks, if any. */
export function brokenUsernameRule(username: string): UsernameRule | undefined {
  const name = readUsername(username);
  const length = [...name].length;
  if (length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max) return "length";
  if (!USERNAME_CHARACTERS.test(name)) return "chars";
  return ASCII_LETTER.test(name) ? undefined : "letter";
}

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
 * A one-time code in plain digits, without the characters that people and copying put between them ("123 456",
 * "123-456."). Letters stay, so that other text isn't taken for a code.
 */
export function readCode(typed: string): string {
  return typed.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "");
}

/** A policy number or personal identifier, typed or stored. */
export interface ReadNumber {
  /** In upper case, without spaces around it. Numbers that were stored before `read` existed are spelled so. */
  readonly typed: string;
  /** Read as the contract says: one kind of dash and of space, nothing invisible. */
  readonly read: string;
  /** The form in which two are compared: `read` without spaces and hyphens. Empty if it is no number. */
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

/** Every dash, and two characters that look like one. */
const DASH = /[\p{Dash}\u02D7\u2043]/gu;
const SEPARATORS = /[ -]/g;

const PHONE_SEPARATORS = /[\s()./-]/g;
/** Nine digits, behind nothing, the zero of domestic calls, or Poland's number with or without that zero. */
const POLISH_PHONE = /^(?:0|(?:\+|00)?480?)?([1-9]\d{8})$/;

/** Reads a phone number, as people and telephones write it, into its international form. Nine digits are Polish. */
export function readPhone(typed: string): string {
  const plain = typed
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(DASH, "-")
    .replace(PHONE_SEPARATORS, "")
    .replace(/^tel:/i, "");
  const [, digits] = POLISH_PHONE.exec(plain) ?? [];
  return digits === undefined ? plain.replace(/^00/, "+") : `+48${digits}`;
}

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
