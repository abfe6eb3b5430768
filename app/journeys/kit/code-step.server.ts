import { endsFlow } from "~/forms/error-catalogue";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm, type OpenForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import type { Weakness } from "~/forms/rules/weak-password";
import type { FlowDefinition, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/redirect.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { formTexts } from "./form-texts.server";
import { weaknessText } from "./password-advice.server";
import { withCode } from "./start-step.server";

/** A screen that takes a one-time code: what its three buttons do. */
interface CodeStep<Field extends string, Memory extends SentCode, Result> {
  /** Path of the screen. */
  readonly here: string;
  readonly form: FormDefinition<Field>;
  readonly flow: FlowDefinition<Memory>;
  /** What the flow remembers, besides the code, once one is sent. `posted` returns what was typed so far. */
  readonly remember: (posted: OpenForm<Field>["posted"]) => Omit<Memory, keyof SentCode>;
  readonly send: (resend: { resend?: true }) => Promise<CallOutcome<Pick<SentCode, "sentTo">>>;
  readonly confirm: (
    values: FieldValues<Field>,
    posted: OpenForm<Field>["posted"],
  ) => Promise<CallOutcome<Result>>;
  /**
   * Says whether a new password is weak. If the form is refused, it shows a hint; otherwise `done` may leave a notice.
   */
  readonly advise?: (values: FieldValues<Field>) => Promise<Weakness | undefined>;
  readonly done: (
    result: Result,
    values: FieldValues<Field>,
    weakness: Weakness | undefined,
  ) => Promise<Redirect> | Redirect;
  readonly back: () => Promise<Redirect> | Redirect;
}

/** Answers the form of a screen that takes a one-time code (docs/screens.md, "Screens"). */
export async function answerCodeStep<Field extends string, Memory extends SentCode, Result>(
  visit: Visit,
  step: CodeStep<Field, Memory, Result>,
) {
  const form = await openForm(visit.request, step.form);
  switch (form.intent) {
    case "back":
      return step.back();
    case "send-code":
      return sendCode(visit, step, form);
    default:
      return confirmCode(visit, step, form);
  }
}

async function sendCode<Field extends string, Memory extends SentCode, Result>(
  visit: Visit,
  step: CodeStep<Field, Memory, Result>,
  form: OpenForm<Field>,
) {
  // A code was already sent, so this is a resend.
  const resent = visit.flow(step.flow)?.codeSentAt !== undefined;
  const sent = await step.send(resent ? { resend: true } : {});
  if (sent.kind !== "done") return refuse(visit, step, form, sent);
  await visit.remember(
    step.flow,
    withCode<Memory>(step.remember(form.posted), {
      ...sent.value,
      codeSentAt: Date.now(),
      resent,
      pressed: true,
    }),
  );
  return visit.redirectTo(step.here);
}

async function confirmCode<Field extends string, Memory extends SentCode, Result>(
  visit: Visit,
  step: CodeStep<Field, Memory, Result>,
  form: OpenForm<Field>,
) {
  const checked = form.check();
  if (!checked.ok) return refuse(visit, step, form, checked.refused);
  const weakness = await step.advise?.(checked.values);
  const confirmed = await step.confirm(checked.values, form.posted);
  return confirmed.kind === "done"
    ? step.done(confirmed.value, checked.values, weakness)
    : refuse(visit, step, form, confirmed, weakness);
}

async function refuse<Field extends string>(
  visit: Visit,
  step: { readonly form: FormDefinition<Field> },
  form: OpenForm<Field>,
  refused: Parameters<OpenForm<Field>["refuse"]>[1],
  weakness?: Weakness,
) {
  if (refused.kind !== "rules-broken" && endsFlow(step.form, refused)) await endFlow(visit);
  return form.refuse(formTexts(visit.t, step.form), refused, weakness && visit.t(weaknessText(weakness)));
}

/** Forgets the flow and ends a pending session, because the dialog's button leads to the start page. */
async function endFlow(visit: Visit): Promise<void> {
  if ((await visit.visitor()).status === "pending") await visit.signOut();
  else visit.forgetFlow();
}
