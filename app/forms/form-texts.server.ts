import { MAX_TEXT_LENGTH, SPECIAL_CHARACTERS } from "~/contract/rules";
import type { Translate } from "~/i18n/texts.server";
import type { FormDefinition } from "./form-definition";
import { MESSAGES } from "~/contract/rules/field-rules";
import { CHARACTER, type RuleTexts } from "~/contract/rules/rule-message";

/** The texts of a form. */
export interface FormTexts<Field extends string = string> {
  /** The label of each field. */
  readonly labels: Readonly<Record<Field, string>>;
  /** The messages of its rules. The page holds them for the browser, which checks the same rules. */
  readonly rules: RuleTexts & { readonly summary: SummaryTexts };
}

/** The texts of the summary above a form. */
interface SummaryTexts {
  /** A title for one error, for two, and so on. */
  readonly titles: readonly string[];
  readonly text: string;
}

/** The texts of a form: its labels and the messages of its rules, for its screen and for a refusal. */
export function formTexts<Field extends string>(t: Translate, form: FormDefinition<Field>): FormTexts<Field> {
  const inLanguages = made.get(form) ?? new WeakMap<Translate, FormTexts>();
  made.set(form, inLanguages);
  const texts = inLanguages.get(t) ?? makeTexts(t, form);
  inLanguages.set(t, texts);
  return texts;
}

/** The texts of each form, by language: the same for every request. */
const made = new WeakMap<FormDefinition, WeakMap<Translate, FormTexts>>();

function makeTexts(t: Translate, form: FormDefinition): FormTexts {
  const fields = Object.entries(form.fields);
  const facts = { max: MAX_TEXT_LENGTH, chars: SPECIAL_CHARACTERS, char: CHARACTER };
  const keys = new Set(fields.flatMap(([, { rule }]) => MESSAGES[rule]));
  const said = [...keys, "space" as const].map((key) => [key, t(`validation:${key}`, facts)] as const);
  return {
    labels: Object.fromEntries(fields.map(([field, { label }]) => [field, t(label)])),
    rules: {
      ...Object.fromEntries(said),
      errorWord: t("common:a11y.error"),
      summary: {
        titles: form.names.map((_field, at) => t("validation:summary.title", { count: at + 1 })),
        text: t("validation:summary.text"),
      },
    },
  };
}
