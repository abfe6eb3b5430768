import { MAX_TEXT_LENGTH, SPECIAL_CHARACTERS } from "~/contract/rules";
import type { FormDefinition } from "~/forms/form-definition";
import { CHARACTER } from "~/forms/rules/rule-message";
import type { ScreenFormTexts } from "~/forms/screen-form";
import type { FormTexts, Translate as FormTranslate } from "~/forms/show-refusal.server";
import { oncePerLanguage, type Translate } from "~/i18n/texts.server";

/** What a form's error messages need: texts and field labels. */
export function formTexts(t: Translate, form: FormDefinition): FormTexts {
  const say = anyKey(t);
  const fields = Object.entries(form.fields);
  return {
    t: say,
    labels: Object.fromEntries(fields.map(([field, { label }]) => [field, say(label)])),
    rules: ruleTexts(t, form),
    atBackend: Object.fromEntries(
      fields.flatMap(([field, { refusedByBackend: key }]) => (key === undefined ? [] : [[field, say(key)]])),
    ),
  };
}

/** The texts of a form's rules. They are sent to the browser, which checks the same rules. */
export function ruleTexts(t: Translate, form: FormDefinition): ScreenFormTexts {
  const textsOfForm = textsOfForms.get(form) ?? oncePerLanguage((language) => makeRuleTexts(language, form));
  textsOfForms.set(form, textsOfForm);
  return textsOfForm(t);
}

const textsOfForms = new WeakMap<FormDefinition, (t: Translate) => ScreenFormTexts>();

function makeRuleTexts(t: Translate, { texts, rules }: FormDefinition): ScreenFormTexts {
  const facts = { max: MAX_TEXT_LENGTH, chars: SPECIAL_CHARACTERS, char: CHARACTER };
  const say = anyKey(t);
  const said = [...texts, "space"].map((key) => [key, say(`validation:${key}`, facts)] as const);
  return {
    ...Object.fromEntries(said),
    errorWord: t("common:a11y.error"),
    summary: {
      titles: Object.keys(rules).map((_field, at) => t("validation:summary.title", { count: at + 1 })),
      text: t("validation:summary.text"),
    },
  };
}

/** A form's keys come from its definition and the error catalogue; a test looks up each one. */
function anyKey(t: Translate): FormTranslate {
  return t as unknown as FormTranslate;
}
