/** Every text that a rule of a field can answer with: keys of `locales/pl/validation.json`. */
export type RuleKey =
  | "required"
  | "maxLength"
  | "invalidChars"
  | "code.digits"
  | "password.length"
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

/** What is wrong with a value: a text, and the character that it names, where it names one. */
export interface RuleMessage {
  readonly key: RuleKey;
  readonly character?: string;
}

/**
 * The texts of the rules that a form has, ready but for the character; the name of the one that can't be seen; and the
 * word for what the icon of an error means.
 */
export type RuleTexts = Readonly<Partial<Record<RuleKey | "space", string | undefined>>> & {
  readonly errorWord: string;
};

/** Where a text has the place of the character. */
export const CHARACTER = "{{char}}";

/** A message in words. */
export function ruleText(texts: RuleTexts, { key, character = "" }: RuleMessage): string {
  return (texts[key] ?? "").replace(CHARACTER, () =>
    character === " " ? (texts.space ?? character) : character,
  );
}

/** The values of a form's fields, as they were typed. */
export type FieldValues<Field extends string> = Readonly<Record<Field, string>>;

/** The rules of a form: for each field, the first rule that its value breaks. */
export type FieldRules<Field extends string> = Readonly<
  Record<Field, (value: string, values: FieldValues<Field>) => RuleMessage | undefined>
>;

/** What is wrong with each field that breaks a rule. */
export type BrokenRules<Field extends string> = Readonly<Partial<Record<Field, RuleMessage>>>;

/** Checks all fields of a form. */
export function checkFields<Field extends string>(
  rules: FieldRules<Field>,
  values: FieldValues<Field>,
): BrokenRules<Field> {
  const fields = Object.keys(rules) as Field[];
  const broken = fields.flatMap((field) => {
    const message = rules[field](values[field], values);
    return message ? [[field, message] as const] : [];
  });
  return Object.fromEntries(broken) as BrokenRules<Field>;
}
