/** Every message a field rule can return: keys of `locales/pl/validation.json`. */
export type RuleKey =
  | "required"
  | "maxLength"
  | "invalidChars"
  | "code.digits"
  | "code.length"
  | "appCode.digits"
  | "recoveryCode.length"
  | "factorName.length"
  | "passkey.missing"
  | "passkey.cancelled"
  | "passkey.failed"
  | "passkey.known"
  | "passkey.late"
  | "passkey.unasked"
  | "passkey.unsupported"
  | "password.length"
  | "password.tooLong"
  | "password.uppercase"
  | "password.digit"
  | "password.special"
  | "password.mismatch"
  | "username.length"
  | "username.chars"
  | "username.letter"
  | "username.mismatch"
  | "documentPassword.invalidChar"
  | "documentPassword.mismatch";

/** A broken rule: a text key, and the character that the text names, if any. */
export interface RuleMessage {
  readonly key: RuleKey;
  readonly character?: string;
}

/**
 * The texts of a form's rules, with only the character still to fill in; the word for a space, which can't be seen; and
 * the word that the error icon stands for.
 */
export type RuleTexts = Readonly<Partial<Record<RuleKey | "space", string | undefined>>> & {
  readonly errorWord: string;
};

/** The placeholder for the character. */
export const CHARACTER = "{{char}}";

/** A message as text, with its character filled in. */
export function ruleText(texts: RuleTexts, { key, character = "" }: RuleMessage): string {
  return (texts[key] ?? "").replace(CHARACTER, () =>
    character === " " ? (texts.space ?? character) : character,
  );
}

/** A message after its field's name, as one sentence: "Hasło: dodaj cyfrę." */
export function withLabel(label: string, message: string): string {
  return `${label}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** The values of a form's fields, as typed. */
export type FieldValues<Field extends string> = Readonly<Record<Field, string>>;

/** The broken rule of each field that breaks one. */
export type BrokenRules<Field extends string> = Readonly<Partial<Record<Field, RuleMessage>>>;
