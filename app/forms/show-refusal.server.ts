import type { SubmissionResult } from "@conform-to/react";
import { rowOnForm } from "~/contract/errors";
import type { FormRefusal } from "~/contract/refusal.server";
import { sentences, type Translate } from "~/i18n/texts.server";
import { waitText, wholeMinutes } from "~/i18n/wait-text.server";
import type { FormDefinition } from "./form-definition";
import { formTexts } from "./form-texts.server";
import type { FormAlert, FormDialog, RefusedForm } from "./refused-form";
import { ruleText, withLabel, type BrokenRules } from "./rules/rule-message";

/** Refused by the portal itself: some fields break rules. */
export interface RuleRefusal {
  readonly kind: "rules-broken";
  readonly broken: BrokenRules<string>;
}

/** A refusal in words: at fields, above the form, or in a dialog in front of it. */
interface Said {
  readonly atFields?: readonly (readonly [field: string, text: string])[];
  readonly alert?: FormAlert;
  readonly dialog?: FormDialog;
}

/** A refused form with its words (specification §8; docs/screens.md, "Answers"). `typed`: the values it shows again. */
export function showRefusal(
  t: Translate,
  form: FormDefinition,
  refused: FormRefusal | RuleRefusal,
  typed: Omit<SubmissionResult<unknown>, "status" | "error"> = {},
): RefusedForm {
  const { atFields = [], alert, dialog } = say(t, form, refused);
  const error = Object.fromEntries(atFields.map(([field, text]) => [field, [text]]));
  return {
    result: { ...typed, status: "error", error },
    ...(refused.kind === "refused" && { errorCode: refused.errorCode }),
    ...(alert && { alert }),
    ...(dialog && { dialog }),
  };
}

function say(t: Translate, form: FormDefinition, refused: FormRefusal | RuleRefusal): Said {
  switch (refused.kind) {
    case "rules-broken":
      return sayBrokenRules(t, form, refused.broken);
    case "invalid":
      return sayInvalidFields(t, form, refused.fields);
    case "rate-limited":
    case "busy":
    case "unavailable":
      return { alert: { title: waitText(t, refused), items: [], speaksForFields: false } };
    case "refused":
      return sayCatalogueCode(t, form, refused);
  }
}

/** Each message at its field, and all of them in the summary, which names the fields. */
function sayBrokenRules(t: Translate, form: FormDefinition, broken: BrokenRules<string>): Said {
  const { labels, rules } = formTexts(t, form);
  const entries = Object.entries(broken).flatMap(([field, message]) =>
    message ? [{ field, said: ruleText(rules, message) }] : [],
  );
  return {
    atFields: entries.map(({ field, said }) => [field, said] as const),
    alert: {
      title: t("validation:summary.title", { count: entries.length }),
      text: rules.summary.text,
      items: entries.map(({ field, said }) => ({ field, text: withLabel(labels[field] ?? field, said) })),
      speaksForFields: false,
    },
  };
}

/** A backend stricter than our rules only names the fields. If none are ours, a dialog says the request was refused. */
function sayInvalidFields(t: Translate, form: FormDefinition, named: readonly string[]): Said {
  const atFields = named.flatMap((field) => {
    if (!Object.hasOwn(form.fields, field)) return [];
    const key = form.fields[field]?.refusedByBackend ?? "validation:invalidChars";
    return [[field, sentences(t, [key])] as const];
  });
  return atFields.length > 0
    ? sayAtFields(atFields, t("validation:summary.title", { count: atFields.length }))
    : sayCatalogueCode(t, form, { errorCode: "invalid" });
}

/** A refusal with a code, of the catalogue or not. */
type CodeRefusal = Omit<Extract<FormRefusal, { kind: "refused" }>, "kind">;

function sayCatalogueCode(t: Translate, form: FormDefinition, refused: CodeRefusal): Said {
  const row = rowOnForm(refused.errorCode, (field) => Object.hasOwn(form.fields, field));
  if (row.kind === "modal") return { dialog: dialogOf(t, row, refused) };
  const atFields = row.fields.map((field) => [field, t(row.text)] as const);
  if (row.kind === "inline") return sayAtFields(atFields, t(row.title));
  const hint = refused.triesLeft === 1 ? row.lastTryHint : row.hint;
  return { atFields, alert: { title: t(row.text), text: t(hint), items: [], speaksForFields: true } };
}

/** One text at each field, and all of them in the summary. */
function sayAtFields(atFields: NonNullable<Said["atFields"]>, title: string): Said {
  const items = atFields.map(([field, text]) => ({ field, text }));
  return { atFields, alert: { title, items, speaksForFields: false } };
}

function dialogOf(
  t: Translate,
  row: Extract<ReturnType<typeof rowOnForm>, { kind: "modal" }>,
  { errorCode, retryAfterSeconds }: CodeRefusal,
): FormDialog {
  const dialog = {
    header: t(`errors:modal.${row.texts}.header`),
    message: t(`errors:modal.${row.texts}.message`),
    confirm: { does: row.button, text: t(`errors:modal.${row.texts}.confirm`) },
  };
  if (row.texts === "default")
    return { ...dialog, message: `${dialog.message} ${t("errors:modal.default.code", { code: errorCode })}` };
  if (row.button === "new-code") return { ...dialog, cancel: t(`errors:modal.${row.texts}.cancel`) };
  // A timed lock says how long it lasts and how to end it; a lock set by a person names the helpline.
  if (row.texts === "106" && retryAfterSeconds !== undefined)
    return {
      ...dialog,
      message: t("errors:modal.106.messageTimed", { count: wholeMinutes(retryAfterSeconds) }),
      waysOut: { reset: t("errors:modal.106.reset"), call: t("errors:modal.106.call") },
    };
  return dialog;
}
