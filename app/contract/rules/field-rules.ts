import {
  brokenUsernameRule,
  illegalDocumentCharacter,
  isCode,
  isDigits,
  isNumber,
  isPasswordTooLong,
  isRecoveryCode,
  MAX_TEXT_LENGTH,
  MOST_FACTOR_NAME,
  MOST_PASSKEY_ANSWER,
  NOT_STORABLE,
  PASSWORD_LENGTH,
  readFactorName,
  readPassword,
  readUsername,
  SPECIAL_CHARACTERS,
  unmetConditions,
} from "./index";
import type { BrokenRules, FieldValues, RuleKey, RuleMessage } from "./rule-message";

/**
 * The password conditions, for password managers that generate one (Apple's `passwordrules`; C-34). In that format's
 * list of characters the hyphen comes first and the bracket last.
 */
export const PASSWORD_RULES = [
  `minlength: ${PASSWORD_LENGTH.min}`,
  `maxlength: ${PASSWORD_LENGTH.max}`,
  "required: upper",
  "required: digit",
  `required: [-${SPECIAL_CHARACTERS.replace(/[-\]]/g, "")}]]`,
  "allowed: lower;",
].join("; ");

/** Any text: not empty, not too long, and nothing that a database can't store. */
export function text(value: string): RuleMessage | undefined {
  if (value === "") return { key: "required" };
  if (value.length > MAX_TEXT_LENGTH) return { key: "maxLength" };
  return NOT_STORABLE.test(value) ? { key: "invalidChars" } : undefined;
}

/** A text that identifies someone. Leading and trailing white space doesn't count. */
export function identifier(value: string): RuleMessage | undefined {
  return value.trim() === "" ? { key: "required" } : text(value);
}

/** A policy number or a personal identifier: more than spaces and hyphens. */
export function number(value: string): RuleMessage | undefined {
  return isNumber(value) ? text(value) : { key: "required" };
}

/** A one-time code: digits only, and all of them; separators between them don't count. */
export function code(value: string): RuleMessage | undefined {
  const broken = isDigits(value) ? "code.length" : "code.digits";
  return identifier(value) ?? (isCode(value) ? undefined : { key: broken });
}

/** A code of an authenticator app: six digits. */
export function appCode(value: string): RuleMessage | undefined {
  return identifier(value) ?? (isCode(value) ? undefined : { key: "appCode.digits" });
}

/** A recovery code. */
export function recoveryCode(value: string): RuleMessage | undefined {
  return identifier(value) ?? (isRecoveryCode(value) ? undefined : { key: "recoveryCode.length" });
}

/** A customer's name for a factor. */
export function factorName(value: string): RuleMessage | undefined {
  const length = [...readFactorName(value)].length;
  return identifier(value) ?? (length > MOST_FACTOR_NAME ? { key: "factorName.length" } : undefined);
}

/** Why a passkey gave no answer (browser/passkey-device.ts), or a late one, as the backend says. */
const PASSKEY_FAULTS = ["cancelled", "failed", "known", "late", "unasked", "unsupported"] as const;

/** A passkey's answer: a JSON object. Without scripts it is empty. */
export function passkey(value: string): RuleMessage | undefined {
  const fault = PASSKEY_FAULTS.find((name) => name === value);
  if (fault) return { key: `passkey.${fault}` };
  const isAnswer = value.startsWith("{") && value.length <= MOST_PASSKEY_ANSWER && isJson(value);
  return isAnswer ? undefined : { key: "passkey.missing" };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A new password: all conditions of the checklist. */
export function newPassword(value: string): RuleMessage | undefined {
  const [unmet] = unmetConditions(value);
  if (isPasswordTooLong(value)) return text(value) ?? { key: "password.tooLong" };
  return text(value) ?? (unmet ? { key: `password.${unmet}` } : undefined);
}

/** A new document password: only allowed characters, then the same checklist. */
export function newDocumentPassword(value: string): RuleMessage | undefined {
  const illegal = illegalDocumentCharacter(value);
  if (illegal !== undefined && value.length <= MAX_TEXT_LENGTH && !NOT_STORABLE.test(value))
    return { key: "documentPassword.invalidChar", character: illegal };
  return newPassword(value);
}

/** A new username (specification §5). */
export function newUsername(value: string): RuleMessage | undefined {
  const fault = brokenUsernameRule(value);
  return identifier(value) ?? (fault ? { key: `username.${fault}` } : undefined);
}

/** Checks one value; `first` is the value of the field that it repeats, if any. */
type Rule = (value: string, first: string) => RuleMessage | undefined;

/** A value typed again: it must meet its own rule and be the same as the first. */
function repeated(rule: Rule, key: RuleKey, read: (value: string) => string): Rule {
  return (value, first) => rule(value, "") ?? (read(value) === read(first) ? undefined : { key });
}

/** The rules by name. A field names its rule in the page, so that the browser runs the same one (specification §5). */
export const RULES = {
  text: text as Rule,
  identifier: identifier as Rule,
  number: number as Rule,
  code: code as Rule,
  appCode: appCode as Rule,
  recoveryCode: recoveryCode as Rule,
  factorName: factorName as Rule,
  passkey: passkey as Rule,
  newPassword: newPassword as Rule,
  newDocumentPassword: newDocumentPassword as Rule,
  newUsername: newUsername as Rule,
  repeatedPassword: repeated(text, "password.mismatch", readPassword),
  repeatedDocumentPassword: repeated(text, "documentPassword.mismatch", readPassword),
  repeatedUsername: repeated(identifier, "username.mismatch", readUsername),
};

/** The name of a rule. */
export type RuleName = keyof typeof RULES;

const EVERY_TEXT = ["required", "maxLength", "invalidChars"] as const;
const EVERY_PASSWORD = [
  ...EVERY_TEXT,
  "password.length",
  "password.tooLong",
  "password.uppercase",
  "password.digit",
  "password.special",
] as const;

/** The messages that each rule can return. The page gives them to the browser. */
export const MESSAGES: Readonly<Record<RuleName, readonly RuleKey[]>> = {
  text: EVERY_TEXT,
  identifier: EVERY_TEXT,
  number: EVERY_TEXT,
  code: [...EVERY_TEXT, "code.digits", "code.length"],
  appCode: [...EVERY_TEXT, "appCode.digits"],
  recoveryCode: [...EVERY_TEXT, "recoveryCode.length"],
  factorName: [...EVERY_TEXT, "factorName.length"],
  passkey: [
    "passkey.missing",
    "passkey.cancelled",
    "passkey.failed",
    "passkey.known",
    "passkey.late",
    "passkey.unasked",
    "passkey.unsupported",
  ],
  newPassword: EVERY_PASSWORD,
  newDocumentPassword: [...EVERY_PASSWORD, "documentPassword.invalidChar"],
  newUsername: [...EVERY_TEXT, "username.length", "username.chars", "username.letter"],
  repeatedPassword: [...EVERY_TEXT, "password.mismatch"],
  repeatedDocumentPassword: [...EVERY_TEXT, "documentPassword.mismatch"],
  repeatedUsername: [...EVERY_TEXT, "username.mismatch"],
};

/** The rule of a field. It is checked on the server, and in the browser while the visitor types. */
export interface FieldRule {
  readonly rule: RuleName;
  /** The field whose value is typed again here. */
  readonly repeats?: string | undefined;
  /** May be left empty. */
  readonly optional?: boolean | undefined;
}

/** Checks all fields, on the server and in the browser. Returns only the fields that break a rule. */
export function checkFields<Field extends string>(
  fields: Readonly<Record<Field, FieldRule>>,
  values: FieldValues<Field>,
): BrokenRules<Field> {
  const typed: Readonly<Record<string, string>> = values;
  const broken = Object.entries<FieldRule>(fields).flatMap(([field, { rule, repeats = "", optional }]) => {
    const value = typed[field] ?? "";
    const message = optional && value === "" ? undefined : RULES[rule](value, typed[repeats] ?? "");
    return message ? [[field, message] as const] : [];
  });
  return Object.fromEntries(broken) as BrokenRules<Field>;
}
