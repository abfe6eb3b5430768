import type { SubmissionResult } from "@conform-to/react";
import type { FormRefusal } from "~/contract/refusal.server";
import { catalogueRow } from "./error-catalogue";
import type { FormAlert, FormDialog, RefusedForm } from "./refused-form";
import { waitText, wholeMinutes } from "./wait-text.server";
import { ruleText, withLabel, type BrokenRules, type RuleTexts } from "./rules/rule-message";

/** Translates a key of `locales`; forms don't care where the texts come from. */
export type Translate = (key: string, facts?: Readonly<Record<string, unknown>>) => string;

/** What error texts are built from. */
export interface FormTexts {
  readonly t: Translate;
  /** Field labels, by field name. */
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: RuleTexts;
  /** What the backend's refusal of a field means (422), if it can say more than "not allowed". */
  readonly atBackend?: Readonly<Record<string, string>>;
}

/** Refused by the portal itself: some fields break rules. */
export interface RuleRefusal {
  readonly kind: "rules-broken";
  readonly broken: BrokenRules<string>;
}

/** What a refusal says: at fields, above the form, or in a dialog in front of it. */
interface Said {
  readonly atFields?: readonly (readonly [field: string, text: string])[];
  readonly alert?: FormAlert;
  readonly dialog?: FormDialog;
}

/** What a refused form shows (specification §8; docs/screens.md, "Answers"). `typed`: the values it shows again. */
export function showRefusal(
  texts: FormTexts,
  refused: FormRefusal | RuleRefusal,
  typed: Omit<SubmissionResult<unknown>, "status" | "error"> = {},
): RefusedForm {
  const { atFields = [], alert, dialog } = say(texts, refused);
  const error = Object.fromEntries(atFields.map(([field, text]) => [field, [text]]));
  return {
    result: { ...typed, status: "error", error },
    ...(refused.kind === "refused" && { errorCode: refused.errorCode }),
    ...(alert && { alert }),
    ...(dialog && { dialog }),
  };
}

function say(texts: FormTexts, refused: FormRefusal | RuleRefusal): Said {
  switch (refused.kind) {
    case "rules-broken":
      return sayBrokenRules(texts, refused.broken);
    case "invalid":
      return sayInvalidFields(texts, refused.fields);
    case "rate-limited":
    case "busy":
    case "unavailable":
      return { alert: { title: waitText(texts.t, refused), items: [], speaksForFields: false } };
    case "refused":
      return sayCatalogueCode(texts, refused);
  }
}

/** Each message at its field, and all of them in the summary, which names the fields. */
function sayBrokenRules({ t, labels, rules }: FormTexts, broken: BrokenRules<string>): Said {
  const entries = Object.entries(broken).flatMap(([field, message]) => (message ? [{ field, message }] : []));
  const items = entries.map(({ field, message }) => ({
    field,
    text: withLabel(labels[field] ?? field, ruleText(rules, message)),
  }));
  return {
    atFields: entries.map(({ field, message }) => [field, ruleText(rules, message)] as const),
    alert: {
      title: t("validation:summary.title", { count: items.length }),
      text: t("validation:summary.text"),
      items,
      speaksForFields: false,
    },
  };
}

/** A backend stricter than our rules only names the fields. If none are ours, a dialog says the request was refused. */
function sayInvalidFields(texts: FormTexts, fields: readonly string[]): Said {
  const { t, atBackend = {} } = texts;
  const known = fields.filter((field) => Object.hasOwn(texts.labels, field));
  if (known.length === 0) return sayCatalogueCode(texts, { errorCode: "invalid" });
  return sayAtFields(
    texts,
    known.map((field) => [field, atBackend[field] ?? t("validation:invalidChars")] as const),
  );
}

/** A refusal with a code, of the catalogue or not. */
type CodeRefusal = Omit<Extract<FormRefusal, { kind: "refused" }>, "kind">;

function sayCatalogueCode(texts: FormTexts, refused: CodeRefusal): Said {
  const row = catalogueRow(refused.errorCode, (field) => Object.hasOwn(texts.labels, field));
  if (row.kind === "modal") return { dialog: dialogOf(texts, row, refused) };
  const atFields = row.fields.map((field) => [field, texts.t(row.text)] as const);
  if (row.kind === "inline") return sayAtFields(texts, atFields, texts.t(row.title));
  const hint = refused.triesLeft === 1 ? row.lastTryHint : row.hint;
  const alert = { title: texts.t(row.text), text: texts.t(hint), items: [], speaksForFields: true };
  return { atFields, alert };
}

/** One text at each field, and all of them in the summary. */
function sayAtFields(
  { t }: FormTexts,
  atFields: NonNullable<Said["atFields"]>,
  title = t("validation:summary.title", { count: atFields.length }),
): Said {
  return {
    atFields,
    alert: {
      title,
      items: atFields.map(([field, text]) => ({ field, text })),
      speaksForFields: false,
    },
  };
}

function dialogOf(
  { t }: FormTexts,
  row: Extract<ReturnType<typeof catalogueRow>, { kind: "modal" }>,
  { errorCode, retryAfterSeconds }: CodeRefusal,
): FormDialog {
  const texts = `errors:modal.${row.texts}`;
  // A timed lock says how long it lasts and how to end it; a lock set by a person names the helpline.
  const isTimed = retryAfterSeconds !== undefined && errorCode === "106";
  const message = isTimed
    ? t(`${texts}.messageTimed`, { count: wholeMinutes(retryAfterSeconds) })
    : t(`${texts}.message`);
  return {
    header: t(`${texts}.header`),
    message:
      row.texts === "default" ? `${message} ${t("errors:modal.default.code", { code: errorCode })}` : message,
    confirm: { does: row.button, text: t(`${texts}.confirm`) },
    ...(row.button === "new-code" && { cancel: t(`${texts}.cancel`) }),
    ...(isTimed && { waysOut: { reset: t(`${texts}.reset`), call: t(`${texts}.call`) } }),
  };
}
