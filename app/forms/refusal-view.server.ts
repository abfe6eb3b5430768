import type { Refusal } from "~/contract/answer";
import { ANY_OTHER_ERROR, catalogueRow } from "./error-catalogue";
import type { FormAlert, FormDialog } from "./refused-form";
import { ruleText, type BrokenRules, type RuleTexts } from "./rules/rule-message";

/** Translates a key of `locales`; where the texts come from is not a form's business. */
export type Translate = (key: string, facts?: Readonly<Record<string, unknown>>) => string;

/** What the texts of errors need to know. */
export interface FormTexts {
  readonly t: Translate;
  /** The labels of the fields, by name. */
  readonly labels: Readonly<Record<string, string>>;
  readonly phones: readonly [string, string];
  readonly rules: RuleTexts;
  /** What a field's refusal by the backend means (422), where there is more to say than that it is not allowed. */
  readonly atBackend?: Readonly<Record<string, string>>;
}

/** What a refusal means for a form: its status, the errors of its fields, and what stands above it. */
export interface RefusalView {
  readonly status: 400 | 429 | 503;
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly alert?: FormAlert;
  readonly dialog?: FormDialog;
  readonly retryAfterSeconds?: number;
}

/** How a backend's refusal is shown (specification §8; form contract, "Answers"). */
export function viewRefusal(texts: FormTexts, refused: Refusal): RefusalView {
  switch (refused.kind) {
    case "invalid":
      return viewRefusedFields(texts, refused.fields);
    case "wait": {
      const alert = { title: waitText(texts.t, refused), items: [], speaksForFields: false };
      return { status: refused.status, fieldErrors: {}, alert, retryAfterSeconds: refused.retryAfterSeconds };
    }
    case "refused":
      return viewCatalogueCode(texts, refused.errorCode, refused.retryAfterSeconds);
  }
}

/** Broken rules: each message at its field, and all of them in the summary, where the field is named. */
export function viewBrokenRules({ t, labels, rules }: FormTexts, broken: BrokenRules<string>): RefusalView {
  const entries = Object.entries(broken).flatMap(([field, message]) => (message ? [{ field, message }] : []));
  const items = entries.map(({ field, message }) => ({
    field,
    text:
      message.key === "required"
        ? t("validation:requiredNamed", { label: labels[field] })
        : `${labels[field] ?? field}: ${ruleText(rules, message)}`,
  }));
  return {
    status: 400,
    fieldErrors: Object.fromEntries(entries.map(({ field, message }) => [field, ruleText(rules, message)])),
    alert: {
      title: t("validation:summary.title", { count: items.length }),
      text: t("validation:summary.text"),
      items,
      speaksForFields: false,
    },
  };
}

function viewCatalogueCode(texts: FormTexts, errorCode: string, retryAfterSeconds?: number): RefusalView {
  const row = catalogueRow(errorCode);
  const fields = row.kind === "modal" ? [] : row.fields.filter((field) => Object.hasOwn(texts.labels, field));
  // Nothing to point at: a dialog says it.
  if (row.kind === "modal" || fields.length === 0) {
    const modal = row.kind === "modal" ? row : ANY_OTHER_ERROR;
    return { status: 400, fieldErrors: {}, dialog: viewDialog(texts, modal, errorCode, retryAfterSeconds) };
  }
  const entries = fields.map((field) => [field, texts.t(row.text)] as const);
  if (row.kind === "inline") return viewAtFields(texts, entries);
  const alert = { title: texts.t(row.text), text: texts.t(row.hint), items: [], speaksForFields: true };
  return { status: 400, fieldErrors: Object.fromEntries(entries), alert };
}

function viewDialog(
  { t, phones }: FormTexts,
  row: Extract<ReturnType<typeof catalogueRow>, { kind: "modal" }>,
  errorCode: string,
  retryAfterSeconds: number | undefined,
): FormDialog {
  const texts = `errors:modal.${row.texts}`;
  // A timed lock says how long it lasts; a lock that a person set names the helpline.
  const message =
    retryAfterSeconds !== undefined && errorCode === "106"
      ? t(`${texts}.messageTimed`, { count: minutes(retryAfterSeconds) })
      : t(`${texts}.message`, { phone1: phones[0], phone2: phones[1] });
  return {
    header: t(`${texts}.header`),
    message:
      row.texts === "default" ? `${message} ${t("errors:modal.default.code", { code: errorCode })}` : message,
    confirm: { does: row.button, text: t(`${texts}.confirm`) },
    ...(row.button === "new-code" && { cancel: t(`${texts}.cancel`) }),
  };
}

function waitText(
  t: Translate,
  { status, retryAfterSeconds }: { status: 429 | 503; retryAfterSeconds: number },
): string {
  return status === 503
    ? t("errors:http.busyFor", { count: Math.ceil(retryAfterSeconds) })
    : t("errors:http.rateLimitFor", { count: minutes(retryAfterSeconds) });
}

/** A backend that is stricter than our rules only says which fields it means; if they are not ours, that it won't. */
function viewRefusedFields(texts: FormTexts, fields: readonly string[]): RefusalView {
  const { t, atBackend = {} } = texts;
  const known = fields.filter((field) => Object.hasOwn(texts.labels, field));
  if (known.length === 0) return viewCatalogueCode(texts, "invalid");
  return viewAtFields(
    texts,
    known.map((field) => [field, atBackend[field] ?? t("validation:invalidChars")] as const),
  );
}

/** One text at each field, and all of them in the summary. */
function viewAtFields(
  { t }: FormTexts,
  entries: readonly (readonly [field: string, text: string])[],
): RefusalView {
  return {
    status: 400,
    fieldErrors: Object.fromEntries(entries),
    alert: {
      title: t("validation:summary.title", { count: entries.length }),
      items: entries.map(([field, text]) => ({ field, text })),
      speaksForFields: false,
    },
  };
}

/** Whole minutes to wait, at least one: a person does not count seconds. */
function minutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
