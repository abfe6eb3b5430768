import type { Answer } from "~/contract/answer";
import { endsFlow } from "~/forms/error-catalogue";
import type { FormDefinition } from "~/forms/forms";
import { openForm, type OpenForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import type { Translate } from "~/i18n/texts.server";
import { textsFor } from "~/i18n/texts.server";
import { forgetFlow, rememberFlow, type Flow } from "~/session/flow.server";
import { go, settle, signOut, type Redirect } from "~/session/gate.server";
import { visitorOf } from "~/session/visitor.server";
import { formTexts } from "./form-texts.server";

/** When a code was sent (ms since the epoch), and whether it was asked for again. */
export interface SentCode {
  readonly codeSentAt: number;
  readonly resent: boolean;
}

/** A screen that takes a one-time code: what its three buttons do. */
export interface CodeStep<Field extends string, Result> {
  /** The screen's own path. */
  readonly here: string;
  readonly form: FormDefinition<Field>;
  readonly labels: (t: Translate) => Readonly<Record<Field, string>>;
  /** What a 422 of the backend means at a field, where there is more to say than that it is not allowed. */
  readonly atBackend?: (t: Translate) => Readonly<Record<string, string>>;
  /** A code is on its way already: asking for one means asking again. */
  readonly codeSent: boolean;
  readonly send: (resend: { resend?: true }) => Promise<Answer<unknown>>;
  /** What is remembered once the code is sent; `posted` gives what was typed so far. */
  readonly remember: (sent: SentCode, posted: OpenForm<Field>["posted"]) => Flow;
  readonly confirm: (
    values: FieldValues<Field>,
    asked: { t: Translate; posted: OpenForm<Field>["posted"] },
  ) => Promise<Answer<Result>>;
  readonly done: (result: Result, values: FieldValues<Field>) => Promise<Redirect> | Redirect;
  readonly back: () => Promise<Redirect> | Redirect;
}

/** Answers the form of a screen that takes a one-time code (form contract, "Screens"). */
export async function answerCodeStep<Field extends string, Result>(
  request: Request,
  step: CodeStep<Field, Result>,
) {
  const form = await openForm(request, step.form);
  switch (form.intent) {
    case "back":
      return step.back();
    case "send-code":
      return sendCode(request, step, form);
    default:
      return confirmCode(request, step, form);
  }
}

async function sendCode<Field extends string, Result>(
  request: Request,
  step: CodeStep<Field, Result>,
  form: OpenForm<Field>,
) {
  const sent = await settle(request, await step.send(step.codeSent ? { resend: true } : {}));
  if (sent.kind !== "done") return refuse(request, step, form, sent);
  await rememberFlow(step.remember({ codeSentAt: Date.now(), resent: step.codeSent }, form.posted));
  return go(request, step.here);
}

async function confirmCode<Field extends string, Result>(
  request: Request,
  step: CodeStep<Field, Result>,
  form: OpenForm<Field>,
) {
  const checked = form.check();
  if (!checked.ok) return refuse(request, step, form, checked.refused);
  const confirmed = await settle(
    request,
    await step.confirm(checked.values, { t: await textsFor(request), posted: form.posted }),
  );
  return confirmed.kind === "done"
    ? step.done(confirmed.value, checked.values)
    : refuse(request, step, form, confirmed);
}

async function refuse<Field extends string, Result>(
  request: Request,
  step: CodeStep<Field, Result>,
  form: OpenForm<Field>,
  refused: Parameters<OpenForm<Field>["refuse"]>[1],
) {
  if (refused.kind !== "rules-broken" && endsFlow(refused)) await endFlow(request);
  const t = await textsFor(request);
  return form.refuse(formTexts(t, step.form, step.labels(t), step.atBackend?.(t)), refused);
}

/** The dialog's button leads to the start page: the flow is forgotten, and a half-open session with it. */
async function endFlow(request: Request): Promise<void> {
  if ((await visitorOf(request)).status === "pending") await signOut(request);
  else forgetFlow();
}
