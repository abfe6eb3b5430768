import { readPassword } from "~/contract/identifiers";
import { text } from "./rules/field-rules";
import type { FieldRules, FieldValues, RuleKey, RuleMessage } from "./rules/rule-message";

/** A field of a form (specification §5). */
export interface FieldDefinition<Field extends string = string> {
  /** Checked on the server always, in the browser while a person types. */
  readonly rule: (value: string, values: FieldValues<Field>) => RuleMessage | undefined;
  /** The key of its label in `locales`. */
  readonly label: string;
  /** A password or a code: never sent back. */
  readonly secret?: true;
  /** The key of what a 422 of the backend means here, where there is more to say than that it is not allowed. */
  readonly refusedByBackend?: string;
}

/** A form of the portal: its fields with their rules. */
export interface FormDefinition<Field extends string = string> {
  /** The id of the form; its fields' ids begin with it. */
  readonly id: string;
  readonly fields: Readonly<Record<Field, FieldDefinition<Field>>>;
  readonly rules: FieldRules<Field>;
  /** Checkboxes: absent when off. */
  readonly switches: readonly string[];
  /** The texts that its rules can answer with. */
  readonly texts: readonly RuleKey[];
}

/** What a form has besides its fields. */
export interface FormExtras {
  readonly switches?: readonly string[];
  /** The texts of its rules, besides those of every field. */
  readonly texts?: readonly RuleKey[];
}

/** Every field may be empty, too long, or hold what can't be stored. */
const TEXTS_OF_EVERY_FIELD = ["required", "maxLength", "invalidChars"] as const;

/** Defines a form. */
export function defineForm<Field extends string>(
  id: string,
  fields: Readonly<Record<Field, FieldDefinition<NoInfer<Field>>>>,
  { switches = [], texts = [] }: FormExtras = {},
): FormDefinition<Field> {
  const rules = Object.fromEntries(
    Object.entries<FieldDefinition<Field>>(fields).map(([field, { rule }]) => [field, rule]),
  ) as FieldRules<Field>;
  return { id, fields, rules, switches, texts: [...TEXTS_OF_EVERY_FIELD, ...texts] };
}

/** The fields of a form that are never sent back. */
export function secretFields({ fields }: FormDefinition): string[] {
  return Object.keys(fields).filter((field) => fields[field]?.secret);
}

/** The rule of a repeated password: there, and the same as the first. */
export function repeats<Field extends string>(
  first: NoInfer<Field>,
  mismatch: RuleKey,
): FieldDefinition<Field>["rule"] {
  return (value, values) =>
    text(value) ?? (readPassword(value) === readPassword(values[first]) ? undefined : { key: mismatch });
}
