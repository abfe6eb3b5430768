import { RULES, type RuleName } from "./rules/field-rules";
import type { FieldRules, RuleKey } from "./rules/rule-message";

/** A field of a form (specification §5). */
interface FieldDefinition<Field extends string = string> {
  /** Checked on the server, and in the browser while the visitor types. */
  readonly rule: RuleName;
  /** The field whose value is typed again here. */
  readonly repeats?: Field;
  /** The key of its label in `locales`. */
  readonly label: string;
  /** A password or a code: never sent back. */
  readonly secret?: true;
  /** Says who the visitor is: no browser may keep a page that shows it. */
  readonly personal?: true;
  /** The text key for a 422 from the backend, if it can say more than "not allowed". */
  readonly refusedByBackend?: string;
}

export interface FormDefinition<Field extends string = string> {
  /** Also the prefix of its fields' ids. */
  readonly id: string;
  readonly fields: Readonly<Record<Field, FieldDefinition<Field>>>;
  readonly rules: FieldRules<Field>;
  /** Checkboxes: absent when off. */
  readonly switches: readonly string[];
  /** The messages its rules can return. */
  readonly texts: readonly RuleKey[];
}

/** What a form has besides its fields. */
interface FormExtras {
  readonly switches?: readonly string[];
  /** Messages of its rules, in addition to those that every field has. */
  readonly texts?: readonly RuleKey[];
}

/** Any field can be empty, too long, or contain characters that can't be stored. */
const TEXTS_OF_EVERY_FIELD = ["required", "maxLength", "invalidChars"] as const;

/** Defines a form, and adds the messages that every field can have. */
export function defineForm<Field extends string>(
  id: string,
  fields: Readonly<Record<Field, FieldDefinition<NoInfer<Field>>>>,
  { switches = [], texts = [] }: FormExtras = {},
): FormDefinition<Field> {
  const rules = Object.fromEntries(
    Object.entries<FieldDefinition<Field>>(fields).map(
      ([field, { rule, repeats }]): [string, FieldRules<Field>[Field]] => [
        field,
        (value, values) => RULES[rule](value, repeats === undefined ? "" : values[repeats]),
      ],
    ),
  ) as FieldRules<Field>;
  return { id, fields, rules, switches, texts: [...TEXTS_OF_EVERY_FIELD, ...texts] };
}

/** The fields of a form that are never sent back. */
export function secretFields({ fields }: FormDefinition): string[] {
  return Object.keys(fields).filter((field) => fields[field]?.secret);
}
