import { MAX_TEXT_LENGTH, SPECIAL_CHARACTERS } from "~/contract/rules";
import { oncePerLanguage, type Translate, words } from "~/i18n/texts.server";
import type { FormDefinition } from "./form-definition";
import { MESSAGES } from "./rules/field-rules";
import { CHARACTER } from "./rules/rule-message";
import type { FormTexts } from "./screen-form";

/** The texts of a form: its labels and the messages of its rules, for its screen and for a refusal. */
export function formTexts<Field extends string>(t: Translate, form: FormDefinition<Field>): FormTexts<Field> {
  const textsOfForm = textsOfForms.get(form) ?? oncePerLanguage((language) => makeTexts(language, form));
  textsOfForms.set(form, textsOfForm);
  return textsOfForm(t);
}

const textsOfForms = new WeakMap<FormDefinition, (t: Translate) => FormTexts>();

function makeTexts(t: Translate, form: FormDefinition): FormTexts {
  const fields = Object.entries(form.fields);
  const facts = { max: MAX_TEXT_LENGTH, chars: SPECIAL_CHARACTERS, char: CHARACTER };
  const keys = new Set(fields.flatMap(([, { rule }]) => MESSAGES[rule]));
  const said = [...keys, "space" as const].map((key) => [key, t(`validation:${key}`, facts)] as const);
  return {
    labels: words(t, Object.fromEntries(fields.map(([field, { label }]) => [field, label]))),
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
