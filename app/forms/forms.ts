import { readPassword, readUsername } from "~/contract/identifiers";
import { code, identifier, newDocumentPassword, newPassword, newUsername, text } from "./rules/field-rules";
import type { FieldRules, RuleKey } from "./rules/rule-message";

/** A form: its fields with their rules (specification §5), checked on the server always, in the browser while one types. */
export interface FormDefinition<Field extends string = string> {
  /** The id of the form; its fields' ids begin with it. */
  readonly id: string;
  readonly rules: FieldRules<Field>;
  /** Passwords and codes: never sent back. */
  readonly secret: readonly Field[];
  /** Checkboxes: absent when off. */
  readonly switches: readonly string[];
  /** The texts that its rules can answer with. */
  readonly texts: readonly RuleKey[];
}

function define<Field extends string>(
  id: string,
  rules: FieldRules<Field>,
  secret: readonly NoInfer<Field>[],
  ...texts: readonly RuleKey[]
): FormDefinition<Field> {
  return { id, rules, secret, switches: [], texts: ["required", "maxLength", "invalidChars", ...texts] };
}

const PASSWORD_TEXTS = [
  "password.length",
  "password.uppercase",
  "password.digit",
  "password.special",
] as const;

/** Every form of the portal. */
export const FORMS = {
  /** `/home`, `/home/remind-login-final`. The password goes through as it was typed. */
  login: define("logowanie", { username: identifier, password: text }, ["password"]),
  /** `/home/mfa`. */
  activation: {
    ...define("kod", { authorizationCode: code }, ["authorizationCode"], "code.digits"),
    switches: ["trustDevice"],
  },
  /** `/home/remind-login-submit`. */
  code: define("kod", { authorizationCode: code }, ["authorizationCode"], "code.digits"),
  /** `/home/confirm-login`, `/cp/profile`: buttons without fields. */
  nothing: define("zmiany", {}, []),
  /** `/home/register`. */
  register: define("rejestracja", { policyNo: identifier, pid: identifier }, []),
  /** `/home/reset-password-init`. */
  resetPassword: define("nazwa", { username: identifier }, []),
  /** `/home/remind-login-init`. */
  remindUsername: define("polisa", { policyNo: identifier }, []),
  /** `/home/set-password`, `/home/reset-password-submit`, `/home/change-password`. */
  newPassword: define(
    "haslo",
    {
      authorizationCode: code,
      newPassword,
      newPasswordRepeat: (value, values) =>
        text(value) ?? (same(value, values.newPassword) ? undefined : { key: "password.mismatch" }),
    },
    ["authorizationCode", "newPassword", "newPasswordRepeat"],
    "code.digits",
    "password.mismatch",
    ...PASSWORD_TEXTS,
  ),
  /** `/home/create-document-password`, `/home/change-document-password`. */
  documentPassword: define(
    "documentPassword",
    {
      authorizationCode: code,
      password: newDocumentPassword,
      passwordRepeat: (value, values) =>
        text(value) ?? (same(value, values.password) ? undefined : { key: "documentPassword.mismatch" }),
    },
    ["authorizationCode", "password", "passwordRepeat"],
    "code.digits",
    "documentPassword.invalidChar",
    "documentPassword.mismatch",
    ...PASSWORD_TEXTS,
  ),
  /** `/home/change-login`. */
  newUsername: define(
    "nowa-nazwa",
    {
      authorizationCode: code,
      newUsername,
      newUsernameRepeat: (value, values) =>
        identifier(value) ??
        (readUsername(value) === readUsername(values.newUsername) ? undefined : { key: "username.mismatch" }),
    },
    ["authorizationCode"],
    "code.digits",
    "username.length",
    "username.chars",
    "username.letter",
    "username.mismatch",
  ),
} as const;

/** The names of a form's fields. */
export type FieldsOf<Form> = Form extends FormDefinition<infer Field> ? Field : never;

function same(one: string, other: string): boolean {
  return readPassword(one) === readPassword(other);
}
