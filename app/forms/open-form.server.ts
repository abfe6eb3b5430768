import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import type { Refused } from "~/contract/answer";
import type { FormDefinition } from "./forms";
import { viewBrokenRules, viewRefusal, type FormTexts, type RefusalView } from "./refusal-view.server";
import type { RefusedForm } from "./refused-form";
import { checkFields, type BrokenRules, type FieldValues, type RuleMessage } from "./rules/rule-message";

/** A posted form. */
export interface OpenForm<Field extends string> {
  /** Which of several submit buttons was used; the main one where none is named. */
  readonly intent: string;
  /** A field as it was posted, for what is remembered whatever else happens; empty where it is missing. */
  readonly posted: (field: string) => string;
  /** The values, when they break no rule. */
  readonly check: () =>
    | { readonly ok: true; readonly values: FieldValues<Field> }
    | { readonly ok: false; readonly refused: RulesBroken };
  /** The answer of an action whose form was refused: the same page, what was typed kept, passwords and codes not. */
  readonly refuse: (texts: FormTexts, refused: Refused | RulesBroken) => ReturnType<typeof data<RefusedForm>>;
}

/** Refused by the portal itself: fields that break rules. */
export interface RulesBroken {
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
  refuseHostile(posted, fields);
  for (const [field, value] of Object.entries(given)) posted.set(field, value);
  const submission = parseWithZod(onlyKnown(posted, form), { schema: schemaOf(form) });

  return {
    intent: posted.get("intent") ?? "confirm",
    posted: (field) => posted.get(field) ?? "",
    check: () =>
      submission.status === "success"
        ? { ok: true, values: submission.value as FieldValues<Field> }
        : { ok: false, refused: { kind: "rules-broken", broken: brokenRulesOf(submission.error) } },
    refuse: (texts, refused) => {
      const view =
        refused.kind === "rules-broken"
          ? viewBrokenRules(texts, refused.broken)
          : viewRefusal(texts, refused);
      const error = Object.fromEntries(
        Object.entries(view.fieldErrors).map(([field, text]) => [field, [text]]),
      );
      const result = submission.reply({ hideFields: [...form.secret], fieldErrors: error });
      return answerWith({ ...result, status: "error", error }, view);
    },
  };
}

/** What a form does not ask for is neither checked nor sent back. */
function onlyKnown(posted: URLSearchParams, { rules, switches }: FormDefinition): URLSearchParams {
  const known = new Set([...Object.keys(rules), ...switches]);
  return new URLSearchParams([...posted].filter(([name]) => known.has(name)));
}

const schemas = new WeakMap<object, z.ZodType<Record<string, string>>>();

/** The schema of a form, made of its rules; a missing field is an empty one. */
function schemaOf({ rules }: FormDefinition): z.ZodType<Record<string, string>> {
  const known = schemas.get(rules);
  if (known) return known;
  const shape = Object.fromEntries(Object.keys(rules).map((field) => [field, z.string().default("")]));
  const schema = z.object(shape).superRefine((values, context) => {
    for (const [field, message] of Object.entries(checkFields(rules, values)))
      context.addIssue({ code: "custom", path: [field], message: JSON.stringify(message) });
  });
  schemas.set(rules, schema);
  return schema;
}

function brokenRulesOf(errors: Record<string, string[] | null> | null): BrokenRules<string> {
  const entries = Object.entries(errors ?? {}).flatMap(([field, messages]) =>
    messages?.[0] ? [[field, messages[0]] as const] : [],
  );
  return Object.fromEntries(entries.map(([field, message]) => [field, JSON.parse(message) as RuleMessage]));
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

function refuseHostile(posted: URLSearchParams, fields: readonly string[]): void {
  const names = [...posted.keys()];
  const twice = [...fields, "intent"].some((field) => posted.getAll(field).length > 1);
  const arrayLike = names.some((name) =>
    fields.some((field) => name.startsWith(`${field}[`) || name.startsWith(`${field}.`)),
  );
  const reserved = names.some((name) => /^__.*__$/.test(name));
  if (names.length > MAX_FIELDS || twice || arrayLike || reserved) throw data(null, { status: 400 });
}
