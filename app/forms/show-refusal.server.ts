import type { SubmissionResult } from "@conform-to/react";
import { type CatalogueCode, rowOnForm } from "~/contract/errors";
import type { FormRefusal } from "~/contract/refusal.server";
import { sentences, type Translate } from "~/i18n/texts.server";
import { dayAfterWait, waitText, wholeMinutes } from "~/i18n/wait-text.server";
import type { FormDefinition } from "./form-definition";
import { formTexts } from "./form-texts.server";
import { CODE_ENDED, type FormAlert, type FormDialog, type RefusedForm } from "./refused-form";
import { type RuleMessage, ruleText, withLabel } from "~/contract/rules/rule-message";

/** The broken rule of each field that breaks one, as conform gives them. */
type BrokenFields = Readonly<Record<string, RuleMessage | null | undefined>>;

/** Refused by the portal itself: some fields break rules. */
export interface RuleRefusal {
  readonly kind: "rules-broken";
  readonly broken: BrokenFields;
}

/** The texts of a refusal: at fields, above the form, or in a dialog. */
interface Said {
  readonly atFields?: readonly (readonly [field: string, text: string])[];
  readonly alert?: FormAlert;
  readonly dialog?: FormDialog;
  /** Instead of the backend's code. */
  readonly errorCode?: string;
}

/** Everything else that the texts of a refusal depend on. */
export interface Circumstances {
  /** The visitor is signed in, so a lock signs them out (106). */
  readonly isSignedIn?: boolean | undefined;
  /** The portal has filled in the username, so there is none to recover (101). */
  readonly isUsernameKnown?: boolean | undefined;
  /** No code can be sent by SMS, so a block ends by itself (016). */
  readonly withoutSms?: boolean | undefined;
  /** Where the change started, if it can't be made now (015). */
  readonly origin?: string | undefined;
  /** The clock time at which the code ended, if it has (007, 010). */
  readonly codeEndedAt?: string | undefined;
}

/** Refusals of a code that is wrong or no longer valid. */
const WRONG_CODE: readonly string[] = ["007", "010"] satisfies readonly CatalogueCode[];

/** A refused form with its texts (specification §8; docs/screens.md, "Answers"). `typed`: the values it shows again. */
export function showRefusal(
  t: Translate,
  form: FormDefinition,
  refused: FormRefusal | RuleRefusal,
  typed: Omit<SubmissionResult<unknown>, "status" | "error"> = {},
  circumstances: Circumstances = {},
): RefusedForm {
  const { atFields = [], alert, dialog, errorCode } = say(t, form, refused, circumstances);
  const error = Object.fromEntries(atFields.map(([field, text]) => [field, [text]]));
  return {
    result: { ...typed, status: "error", error },
    ...(refused.kind === "refused" && { errorCode: errorCode ?? refused.errorCode }),
    ...(alert && { alert }),
    ...(dialog && { dialog }),
  };
}

function say(
  t: Translate,
  form: FormDefinition,
  refused: FormRefusal | RuleRefusal,
  circumstances: Circumstances,
): Said {
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
      return sayCatalogueCode(t, form, refused, circumstances);
  }
}

/** Each message at its field, and all of them in the summary, which names the fields. */
function sayBrokenRules(t: Translate, form: FormDefinition, broken: BrokenFields): Said {
  const { labels, rules } = formTexts(t, form);
  const entries = Object.entries(broken).flatMap(([field, message]) =>
    message ? [{ field, said: ruleText(rules, message) }] : [],
  );
  return {
    atFields: entries.map(({ field, said }) => [field, said] as const),
    alert: summaryOf(
      t,
      entries.map(({ field, said }) => ({ field, text: withLabel(labels[field] ?? field, said) })),
      rules.summary.text,
    ),
  };
}

/** The summary of errors. A single one is said in its own sentence, which is the link. `text`: above the list. */
function summaryOf(t: Translate, items: FormAlert["items"], text?: string): FormAlert {
  const [only, ...more] = items;
  return only && more.length === 0
    ? { title: only.text, word: t("common:a11y.error"), items, speaksForFields: false }
    : { title: t("validation:summary.title", { count: items.length }), text, items, speaksForFields: false };
}

/** A backend stricter than our rules only names the fields. If none are ours, a dialog says the request was refused. */
function sayInvalidFields(t: Translate, form: FormDefinition, named: readonly string[]): Said {
  const atFields = named.flatMap((field) => {
    if (!Object.hasOwn(form.fields, field)) return [];
    const key = form.fields[field]?.refusedByBackend ?? "validation:invalidChars";
    return [[field, sentences(t, [key])] as const];
  });
  if (atFields.length === 0) return sayCatalogueCode(t, form, { errorCode: "invalid" }, {});
  const items = atFields.map(([field, text]) => ({ field, text }));
  return { atFields, alert: summaryOf(t, items) };
}

/** A refusal with a code, whether or not the catalogue has it. */
type CodeRefusal = Omit<Extract<FormRefusal, { kind: "refused" }>, "kind">;

function sayCatalogueCode(
  t: Translate,
  form: FormDefinition,
  refused: CodeRefusal,
  circumstances: Circumstances,
): Said {
  const row = rowOnForm(refused.errorCode, (field) => Object.hasOwn(form.fields, field));
  if (row.kind === "modal") return { dialog: dialogOf(t, row, refused, circumstances) };
  if (row.kind === "inline") {
    const time = WRONG_CODE.includes(refused.errorCode) ? circumstances.codeEndedAt : undefined;
    if (time === undefined) return sayInline(row.fields, { title: t(row.title), text: t(row.text) });
    const said = { title: t("errors:title.codeEnded"), text: t("errors:inline.codeEnded", { time }) };
    return { ...sayInline(row.fields, said), errorCode: CODE_ENDED };
  }
  const atFields = row.fields.map((field) => [field, t(row.text)] as const);
  const hints = circumstances.isUsernameKnown ? row.hintsOfKnownUsername : row.hints;
  const text = t(refused.triesLeft === 1 ? hints.lastTry : hints.usual);
  const word = t("common:a11y.error");
  return { atFields, alert: { title: t(row.text), word, text, items: [], speaksForFields: true } };
}

/** The title says what happened, and leads to the field, which says how to go on (F43). */
function sayInline(
  fields: readonly string[],
  { title, text }: { readonly title: string; readonly text: string },
): Said {
  return {
    atFields: fields.map((field) => [field, text] as const),
    alert: { title, items: fields.map((field) => ({ field, text: title })), speaksForFields: false },
  };
}

function dialogOf(
  t: Translate,
  row: Extract<ReturnType<typeof rowOnForm>, { kind: "modal" }>,
  { errorCode, retryAfterSeconds }: CodeRefusal,
  { isSignedIn, withoutSms, origin }: Circumstances,
): FormDialog {
  const dialog = {
    header: t(`errors:modal.${row.texts}.header`),
    message: t(`errors:modal.${row.texts}.message`),
    confirm: {
      does: row.button,
      text: t(`errors:modal.${row.texts}.confirm`),
      ...(row.texts === "015" && { to: origin }),
    },
    ...("isBarred" in row && { isBarred: true }),
  };
  if (row.texts === "default")
    return { ...dialog, message: `${dialog.message} ${t("errors:modal.default.code", { code: errorCode })}` };
  if (row.button === "new-code" && withoutSms) {
    const confirm = { does: row.button, text: t("factors:blocked.confirm") };
    return { ...dialog, message: t("factors:blocked.message"), confirm };
  }
  if (row.button === "new-code") return { ...dialog, cancel: t(`errors:modal.${row.texts}.cancel`) };
  // A timed lock says how long it lasts and how to end it; a lock set by a person names the helpline.
  if (row.texts === "106" && retryAfterSeconds !== undefined)
    return {
      ...dialog,
      message: t("errors:modal.106.messageTimed", { count: wholeMinutes(retryAfterSeconds) }),
      waysOut: { reset: t("errors:modal.106.reset"), call: t("errors:modal.106.call") },
    };
  if (row.texts === "106" && isSignedIn) return { ...dialog, message: t("errors:modal.106.messageSignedIn") };
  if (row.texts === "015" && retryAfterSeconds !== undefined)
    return {
      ...dialog,
      message: t("errors:modal.015.messageFrom", { day: dayAfterWait(t, retryAfterSeconds) }),
    };
  return dialog;
}
