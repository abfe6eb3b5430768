import { parse } from "@conform-to/react";
import { data } from "@remix-run/node";
import { isWait, waitHead, type FormRefusal } from "~/contract/refusal.server";
import type { Translate } from "~/i18n/texts.server";
import type { FormDefinition } from "./form-definition";
import type { RefusedForm } from "./refused-form";
import { checkFields } from "~/contract/rules/field-rules";
import type { FieldValues, RuleMessage } from "~/contract/rules/rule-message";
import { type Circumstances, showRefusal, type RuleRefusal } from "./show-refusal.server";

export interface OpenForm<Field extends string> {
  /** Which submit button was used; the main one if none is named. */
  readonly intent: string;
  /** A field exactly as posted, for data that is kept even if the form is refused; empty if missing. */
  readonly posted: (field: string) => string;
  /** The values, if they break no rule. */
  readonly check: () =>
    | { readonly ok: true; readonly values: FieldValues<Field> }
    | { readonly ok: false; readonly refused: RuleRefusal };
  /**
   * An action's answer to a refused form: the same page with the typed values, except passwords and codes.
   * `advice`: on the new password, if it is weak.
   */
  readonly refuse: (
    t: Translate,
    refused: FormRefusal | RuleRefusal,
    more?: Circumstances & Pick<RefusedForm, "advice" | "unknownPasskey">,
  ) => ReturnType<typeof data<RefusedForm>>;
}

const MAX_FIELDS = 100;

/**
 * Parses a posted form with conform, which checks it by the rules of its fields. Throws a 400 page for a body that none
 * of our forms send (a field twice, array-like or reserved names, over a hundred fields).
 * @param body the form's fields (`Visit.posted`)
 * @param given values from the server, which override the posted ones
 */
export function openForm<Field extends string>(
  body: URLSearchParams,
  form: FormDefinition<Field>,
  given: Readonly<Record<string, string>> = {},
): OpenForm<Field> {
  const posted = new URLSearchParams(body);
  const fields = form.names;
  refuseMalformedForm(posted, fields);
  for (const [field, value] of Object.entries(given)) posted.set(field, value);
  const submission = parse<FieldValues<Field>, RuleMessage | undefined>(onlyKnown(posted, form), {
    resolve: (typed: Readonly<Record<string, string>>) => {
      const value = Object.fromEntries(
        fields.map((field) => [field, typed[field] ?? ""]),
      ) as FieldValues<Field>;
      const error = checkFields<string>(form.fields, value);
      return Object.keys(error).length === 0 ? { value } : { error };
    },
  });

  return {
    intent: posted.get("intent") ?? "confirm",
    posted: (field) => posted.get(field) ?? "",
    check: () =>
      submission.status === "success"
        ? { ok: true, values: submission.value }
        : { ok: false, refused: { kind: "rules-broken", broken: submission.error ?? {} } },
    refuse: (t, refused, { advice, unknownPasskey, ...circumstances } = {}) => {
      const secret = fields.filter((field) => !form.kept.includes(field));
      const typed = submission.reply({ hideFields: secret });
      // 400 if something must be corrected.
      const { status, headers } = isWait(refused) ? waitHead(refused) : { status: 400, headers: {} };
      const shown = showRefusal(t, form, refused, typed, circumstances);
      const concernsFields =
        fields.some((field) => posted.has(field)) || Object.keys(shown.result.error ?? {}).length > 0;
      return data(
        { ...shown, advice, unknownPasskey, concernsFields },
        {
          status,
          headers: { ...headers, ...(showsPerson(posted, form) && { "Cache-Control": "no-store" }) },
        },
      );
    },
  };
}

/** Drops fields that the form doesn't have: they are neither checked nor sent back. */
function onlyKnown(posted: URLSearchParams, { fields, switches }: FormDefinition): URLSearchParams {
  const known = new Set([...Object.keys(fields), ...switches]);
  return new URLSearchParams([...posted].filter(([name]) => known.has(name)));
}

/** Whether the refused form shows a value that identifies the visitor. */
function showsPerson(posted: URLSearchParams, { fields }: FormDefinition): boolean {
  return Object.keys(fields).some((field) => fields[field]?.personal && posted.get(field));
}

function refuseMalformedForm(posted: URLSearchParams, fields: readonly string[]): void {
  const names = [...posted.keys()];
  const twice = [...fields, "intent"].some((field) => posted.getAll(field).length > 1);
  const arrayLike = names.some((name) =>
    fields.some((field) => name.startsWith(`${field}[`) || name.startsWith(`${field}.`)),
  );
  const reserved = names.some((name) => /^__.*__$/.test(name));
  if (names.length > MAX_FIELDS || twice || arrayLike || reserved) throw data(null, { status: 400 });
}
