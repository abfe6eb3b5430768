import { SPECIAL_CHARACTERS } from "~/contract/rules";
import type { FormDefinition } from "~/forms/forms";
import type { FormTexts, Translate as FormTranslate } from "~/forms/refusal-view.server";
import { LABEL } from "~/forms/fault-summary";
import type { ScreenFormTexts } from "~/forms/screen-form";
import { MAX_LENGTH } from "~/forms/rules/field-rules";
import { CHARACTER } from "~/forms/rules/rule-message";
import type { Translate } from "~/i18n/texts.server";
import { phoneNumbers } from "./layout.server";

/** What the errors of a form need to be told: texts, the labels of its fields, the helpline. */
export function formTexts<Field extends string>(
  t: Translate,
  form: FormDefinition<Field>,
  labels: Readonly<Record<Field, string>>,
  atBackend: Readonly<Record<string, string>> = {},
): FormTexts {
  return { t: anyKey(t), labels, phones: phoneNumbers(), rules: ruleTexts(t, form), atBackend };
}

/** The texts of a form's rules; they travel to the browser, which checks by the same rules. */
export function ruleTexts(t: Translate, { texts, rules }: FormDefinition): ScreenFormTexts {
  const facts = { max: MAX_LENGTH, chars: SPECIAL_CHARACTERS, char: CHARACTER };
  const say = anyKey(t);
  const said = [...texts, "space"].map((key) => [key, say(`validation:${key}`, facts)] as const);
  return {
    ...Object.fromEntries(said),
    errorWord: t("common:a11y.error"),
    summary: {
      titles: Object.keys(rules).map((_field, at) => t("validation:summary.title", { count: at + 1 })),
      text: t("validation:summary.text"),
      requiredNamed: t("validation:requiredNamed", { label: LABEL }),
    },
  };
}

/** A form's keys come from its rules and from the error catalogue: a test looks each of them up. */
function anyKey(t: Translate): FormTranslate {
  return t as unknown as FormTranslate;
}
