import type { TextKey } from "~/i18n/texts.server";
import type { FieldRule } from "~/contract/rules/field-rules";

/** A field (specification §5): the one place that screens, texts, flows, the gallery and tests read. */
interface FieldDefinition extends FieldRule {
  readonly label: TextKey;
  /** A password or a code: never sent back, never remembered. */
  readonly secret?: true;
  /** Identifies the visitor: no browser may keep a page that shows it. */
  readonly personal?: true;
  /** The text for a 422 from the backend, if it can say more than "not allowed". */
  readonly refusedByBackend?: TextKey;
  /** A value for the gallery to type; a repeated field uses the value of the first. */
  readonly sample?: string;
}

/** A form. `Kept`: its fields that aren't secret. */
export interface FormDefinition<Field extends string = string, Kept extends string = string> {
  /** Also the prefix of its fields' ids. */
  readonly id: string;
  readonly fields: Readonly<Record<Field, FieldDefinition>>;
  /** The names of its fields, in order. */
  readonly names: readonly Field[];
  /** The fields whose values may be sent back and remembered. */
  readonly kept: readonly Kept[];
  /** Checkboxes: absent when off. */
  readonly switches: readonly string[];
}

type Fields = Readonly<Record<string, FieldDefinition>>;
/** Each field may only repeat one of the same form. */
type RepeatsOwn<Form extends Fields> = {
  readonly [Field in keyof Form]: { readonly repeats?: keyof Form };
};
type KeptField<Form extends Fields> = {
  [Field in keyof Form & string]: Form[Field] extends { readonly secret: true } ? never : Field;
}[keyof Form & string];

/** Defines a form. */
export function defineForm<const Form extends Fields>(
  id: string,
  fields: Form & RepeatsOwn<Form>,
  { switches = [] }: { readonly switches?: readonly string[] } = {},
): FormDefinition<keyof Form & string, KeptField<Form>> {
  const names = Object.keys(fields);
  const kept = names.filter((field) => !fields[field]?.secret);
  return { id, fields, names, kept: kept as KeptField<Form>[], switches };
}

/** A value for each field that isn't secret, as the flow remembers it; empty if it remembers none. */
export function keptValues<Kept extends string>(
  { kept }: FormDefinition<string, Kept>,
  memory?: Readonly<Partial<Record<Kept, string>>>,
): Readonly<Record<Kept, string>> {
  return Object.fromEntries(kept.map((field) => [field, memory?.[field] ?? ""])) as Record<Kept, string>;
}

/** A value for each field that meets its rule, for the gallery. */
export function sampleValues<Field extends string>({
  fields,
}: FormDefinition<Field>): Readonly<Record<Field, string>> {
  const all: Fields = fields;
  const samples = Object.entries(all).map(([field, { sample, repeats = "" }]) => [
    field,
    sample ?? all[repeats]?.sample ?? "",
  ]);
  return Object.fromEntries(samples) as Record<Field, string>;
}
