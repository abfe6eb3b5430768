import { parse, type SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { Refusal } from "~/contract/answer";
import { secretFields, type FormDefinition } from "./form-definition";
import { viewBrokenRules, viewRefusal, type FormTexts, type RefusalView } from "./refusal-view.server";
import type { RefusedForm } from "./refused-form";
import { checkFields, type BrokenRules, type FieldValues } from "./rules/rule-message";

/** A posted form. */
export interface OpenForm<Field extends string> {
  /** Which of several submit buttons was used; the main one where none is named. */
  readonly intent: string;
  /** A field as it was posted, for what is remembered whatever else happens; empty where it is missing. */
  readonly posted: (field: string) => string;
  /** The values, when they break no rule. */
  readonly check: () =>
    | { readonly ok: true; readonly values: FieldValues<Field> }
    | { readonly ok: false; readonly refused: RuleRefusal };
  /** The answer of an action whose form was refused: the same page, what was typed kept, passwords and codes not. */
  readonly refuse: (texts: FormTexts, refused: Refusal | RuleRefusal) => ReturnType<typeof data<RefusedForm>>;
}

/** Refused by the portal itself: fields that break rules. */
export interface RuleRefusal {
  readonly kind: "rules-broken";
  readonly broken: BrokenRules<string>;
}

const MAX_FIELDS = 100;

/**
 * Reads a posted form: the only door to conform on the server. A body that no form of ours sends (a field twice,
 * array-like or reserved names, over a hundred fields) is thrown as a 400 page. `given`: values that the server knows
 * better than the form.
 */
export async function openForm<Field extends string>(
  request: Request,
  form: FormDefinition<Field>,
  given: Readonly<Record<string, string>> = {},
): Promise<OpenForm<Field>> {
  const posted = new URLSearchParams(await request.text());
  const fields = Object.keys(form.rules) as Field[];
  rejectMalformedForm(posted, fields);
  for (const [field, value] of Object.entries(given)) posted.set(field, value);
  const values = Object.fromEntries(
    fields.map((field) => [field, posted.get(field) ?? ""]),
  ) as FieldValues<Field>;
  const broken = checkFields(form.rules, values);
  const isWhole = Object.keys(broken).length === 0;
  const submission = parse(onlyKnown(posted, form), {
    resolve: () => (isWhole ? { value: values } : { error: {} }),
  });

  return {
    intent: posted.get("intent") ?? "confirm",
    posted: (field) => posted.get(field) ?? "",
    check: () => (isWhole ? { ok: true, values } : { ok: false, refused: { kind: "rules-broken", broken } }),
    refuse: (texts, refused) => {
      const view =
        refused.kind === "rules-broken"
          ? viewBrokenRules(texts, refused.broken)
          : viewRefusal(texts, refused);
      const error = Object.fromEntries(
        Object.entries(view.fieldErrors).map(([field, text]) => [field, [text]]),
      );
      const result = submission.reply({ hideFields: secretFields(form), fieldErrors: error });
      return answerWith({ ...result, status: "error", error }, view);
    },
  };
}

/** What a form does not ask for is neither checked nor sent back. */
function onlyKnown(posted: URLSearchParams, { rules, switches }: FormDefinition): URLSearchParams {
  const known = new Set([...Object.keys(rules), ...switches]);
  return new URLSearchParams([...posted].filter(([name]) => known.has(name)));
}

function answerWith(result: SubmissionResult, view: RefusalView) {
  const refused: RefusedForm = {
    result,
    ...(view.alert && { alert: view.alert }),
    ...(view.dialog && { dialog: view.dialog }),
  };
  const headers = new Headers();
  if (view.retryAfterSeconds !== undefined)
    headers.set("Retry-After", String(Math.ceil(view.retryAfterSeconds)));
  return data(refused, { status: view.status, headers });
}

function rejectMalformedForm(posted: URLSearchParams, fields: readonly string[]): void {
  const names = [...posted.keys()];
  const twice = [...fields, "intent"].some((field) => posted.getAll(field).length > 1);
  const arrayLike = names.some((name) =>
    fields.some((field) => name.startsWith(`${field}[`) || name.startsWith(`${field}.`)),
  );
  const reserved = names.some((name) => /^__.*__$/.test(name));
  if (names.length > MAX_FIELDS || twice || arrayLike || reserved) throw data(null, { status: 400 });
}
