import { readCode } from "~/contract/identifiers";
import {
  illegalDocumentCharacter,
  MAX_TEXT_LENGTH,
  NOT_STORABLE,
  PASSWORD_LENGTH,
  SPECIAL_CHARACTERS,
  unmetConditions,
  brokenUsernameRule,
} from "~/contract/rules";
import type { RuleMessage } from "./rule-message";

const DIGITS = /^\d+$/;

/**
 * The conditions of a password, for the generators of password managers (Apple's `passwordrules`; C-34). In their list of
 * characters a hyphen stands first and a bracket last.
 */
export const PASSWORD_RULES = [
  `minlength: ${PASSWORD_LENGTH.min}`,
  `maxlength: ${PASSWORD_LENGTH.max}`,
  "required: upper",
  "required: digit",
  `required: [-${SPECIAL_CHARACTERS.replace(/[-\]]/g, "")}]]`,
  "allowed: lower;",
].join("; ");

/** A text must be there, not be too long, and hold nothing that a database can't keep. */
export function text(value: string): RuleMessage | undefined {
  if (value === "") return { key: "required" };
  if (value.length > MAX_TEXT_LENGTH) return { key: "maxLength" };
  return NOT_STORABLE.test(value) ? { key: "invalidChars" } : undefined;
}

/** A text that identifies somebody: outer white space does not count. */
export function identifier(value: string): RuleMessage | undefined {
  return value.trim() === "" ? { key: "required" } : text(value);
}

/** A one-time code: digits only; spaces that came along are dropped. */
export function code(value: string): RuleMessage | undefined {
  return identifier(value) ?? (DIGITS.test(readCode(value)) ? undefined : { key: "code.digits" });
}

/** A new password: all conditions of the checklist. */
export function newPassword(value: string): RuleMessage | undefined {
  const [unmet] = unmetConditions(value);
  return text(value) ?? (unmet ? { key: `password.${unmet}` } : undefined);
}

/** A new document password: no character that is not allowed, then the same checklist. */
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
