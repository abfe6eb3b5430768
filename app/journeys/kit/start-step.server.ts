import { isDeepStrictEqual } from "node:util";
import { endsFlow } from "~/forms/error-catalogue";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import type { FlowDefinition, SentCode } from "~/visit/flow.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { formTexts } from "./form-texts.server";

/** If the same data is sent again within this time (ms), no second code is sent. */
const SAME_START_MS = 60_000;

/** The first screen of a journey: takes data, sends a code, leads to the next screen. */
interface StartStep<Field extends string, Memory extends SentCode> {
  readonly form: FormDefinition<Field>;
  readonly flow: FlowDefinition<Memory>;
  /** What the flow remembers from the form. */
  readonly remember: (values: FieldValues<Field>) => Omit<Memory, keyof SentCode>;
  readonly send: (values: FieldValues<Field>) => Promise<CallOutcome<unknown>>;
  readonly next: string;
}

/** Answers the form of a first screen: a doubled submit sends no second code (docs/screens.md, "Answers"). */
export async function answerStartStep<Field extends string, Memory extends SentCode>(
  visit: Visit,
  step: StartStep<Field, Memory>,
) {
  const form = await openForm(visit.request, step.form);
  const checked = form.check();
  if (!checked.ok) return form.refuse(formTexts(visit.t, step.form), checked.refused);

  const memory = step.remember(checked.values);
  if (isSameStart(visit.flow(step.flow), memory)) return visit.redirectTo(step.next);
  const sent = await step.send(checked.values);
  if (sent.kind !== "done") {
    if (endsFlow(step.form, sent)) visit.forgetFlow();
    return form.refuse(formTexts(visit.t, step.form), sent);
  }
  await visit.remember(step.flow, withCode(memory, { codeSentAt: Date.now(), resent: false }));
  return visit.redirectTo(step.next);
}

/** A flow's memory, with the code just sent. */
export function withCode<Memory extends SentCode>(
  memory: Omit<Memory, keyof SentCode>,
  code: SentCode,
): Memory {
  // The two halves make up a `Memory`, but the compiler can't see that for a generic type.
  return { ...memory, ...code } as unknown as Memory;
}

function isSameStart(begun: SentCode | undefined, memory: object): boolean {
  if (begun?.codeSentAt === undefined || Date.now() - begun.codeSentAt > SAME_START_MS) return false;
  const {
    codeSentAt: _codeSentAt,
    resent: _resent,
    pressed: _pressed,
    sentTo: _sentTo,
    ...remembered
  } = begun;
  return isDeepStrictEqual(remembered, memory);
}
