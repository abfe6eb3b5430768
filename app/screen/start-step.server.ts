import { isDeepStrictEqual } from "node:util";
import type { Answer } from "~/contract/answer";
import { endsFlow } from "~/forms/error-catalogue";
import type { FormDefinition } from "~/forms/forms";
import { openForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import { textsFor, type Translate } from "~/i18n/texts.server";
import { forgetFlow, rememberFlow, type Flow } from "~/session/flow.server";
import { go, settle } from "~/session/gate.server";
import { formTexts } from "./form-texts.server";

/** The same data sent again within this time goes on without another code, in ms. */
const SAME_START_MS = 60_000;

/** The first screen of a flow: data in, a code on its way, the next screen. */
export interface StartStep<Field extends string, Begun extends Flow & { codeSentAt?: number | undefined }> {
  readonly form: FormDefinition<Field>;
  readonly labels: (t: Translate) => Readonly<Record<Field, string>>;
  /** The flow that the browser is in already. */
  readonly begun: Begun | undefined;
  /** What the flow remembers of the form. */
  readonly remember: (values: FieldValues<Field>, codeSentAt: number) => Begun;
  readonly send: (values: FieldValues<Field>) => Promise<Answer<unknown>>;
  readonly next: string;
}

/** Answers the form of a first screen: a doubled submit sends no second code (form contract, "Answers"). */
export async function answerStartStep<
  Field extends string,
  Begun extends Flow & { codeSentAt?: number | undefined },
>(request: Request, step: StartStep<Field, Begun>) {
  const t = await textsFor(request);
  const texts = formTexts(t, step.form, step.labels(t));
  const form = await openForm(request, step.form);
  const checked = form.check();
  if (!checked.ok) return form.refuse(texts, checked.refused);

  if (isSameStart(step, checked.values)) return go(request, step.next);
  const sent = await settle(request, await step.send(checked.values));
  if (sent.kind !== "done") {
    if (endsFlow(sent)) forgetFlow();
    return form.refuse(texts, sent);
  }
  await rememberFlow(step.remember(checked.values, Date.now()));
  return go(request, step.next);
}

function isSameStart<Field extends string, Begun extends Flow & { codeSentAt?: number | undefined }>(
  { begun, remember }: StartStep<Field, Begun>,
  values: FieldValues<Field>,
): boolean {
  if (begun?.codeSentAt === undefined || Date.now() - begun.codeSentAt > SAME_START_MS) return false;
  return isDeepStrictEqual(remember(values, 0), { ...begun, codeSentAt: 0, resent: false });
}
