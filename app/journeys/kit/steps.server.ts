import { isDeepStrictEqual } from "node:util";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm, type OpenForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import type { Weakness } from "~/forms/rules/weak-password";
import { knownWays } from "./ways.server";
import type { CodeFlow, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";

/** The first screen of a journey: takes data, sends a code, leads to the next screen. */
interface StartStep<Field extends string, Kept extends object> {
  readonly form: FormDefinition<Field>;
  readonly flow: CodeFlow<Kept>;
  /** The flow's memory of the form. */
  readonly remember: (values: FieldValues<Field>) => Kept;
  readonly send: (kept: Kept) => Promise<CallOutcome<unknown>>;
  readonly next: string;
}

/** If the same data is sent again within this time (ms), no second code is sent. */
const SAME_START_MS = 60_000;

/** Answers the form of a first screen: a doubled submit sends no second code (docs/screens.md, "Answers"). */
export async function answerStartStep<Field extends string, Kept extends object>(
  visit: Visit,
  step: StartStep<Field, Kept>,
) {
  const form = await openForm(visit.request, step.form);
  const checked = form.check();
  if (!checked.ok) return refuse(visit, form, checked.refused);

  const kept = step.remember(checked.values);
  const begun = visit.flow(step.flow);
  const isRecent = Date.now() - (begun?.codeSentAt ?? 0) <= SAME_START_MS;
  if (isRecent && isDeepStrictEqual({ ...begun, ...kept }, begun)) return visit.redirectTo(step.next);

  const sent = await step.send(kept);
  if (sent.kind !== "done") return refuse(visit, form, sent);
  await visit.remember(step.flow, { ...kept, codeSentAt: Date.now(), resent: false });
  return visit.redirectTo(step.next);
}

/** Where a code went. With a method that needs none, nothing was sent. */
interface Begun extends Pick<SentCode, "sentTo"> {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
}

/** What a flow remembers of it. `pressed`: by the customer, just now. */
export function begunMemory(
  { methods, ...begun }: Begun,
  { resent, pressed }: { resent: boolean; pressed?: true },
) {
  const isSent = begun.method === undefined || begun.method === "sms";
  return {
    ...begun,
    ...(methods && { methods: [...knownWays(methods)] }),
    ...(isSent ? { codeSentAt: Date.now(), resent, pressed } : { resent: false }),
  };
}

/** A screen that takes a one-time code: what its three buttons do. */
interface CodeStep<Field extends string, Kept extends object, Result> {
  /** Path of the screen. */
  readonly here: string;
  readonly form: FormDefinition<Field>;
  readonly flow: CodeFlow<Kept>;
  /** The flow's memory, besides the code, once one is sent. `posted` returns a value as typed so far. */
  readonly remember: (posted: OpenForm<Field>["posted"]) => Kept;
  readonly send: (resend: { resend?: true }) => Promise<CallOutcome<Begun>>;
  readonly confirm: (
    values: FieldValues<Field>,
    posted: OpenForm<Field>["posted"],
  ) => Promise<CallOutcome<Result>>;
  /**
   * Says whether a new password is weak. If the form is refused, it shows a hint; otherwise `done` may leave a notice.
   */
  readonly advise?: (values: FieldValues<Field>) => Promise<Weakness | undefined>;
  /** No code can be sent by SMS, so a block ends by itself. */
  readonly withoutSms?: boolean | undefined;
  readonly done: (
    result: Result,
    values: FieldValues<Field>,
    weakness: Weakness | undefined,
  ) => Promise<Redirect> | Redirect;
  readonly back: () => Promise<Redirect> | Redirect;
}

/** Answers the form of a screen that takes a one-time code (docs/screens.md, "Screens"). */
export async function answerCodeStep<Field extends string, Kept extends object, Result>(
  visit: Visit,
  step: CodeStep<Field, Kept, Result>,
) {
  const form = await openForm(visit.request, step.form);
  if (form.intent === "back") return step.back();

  if (form.intent === "send-code") {
    // If a code was already sent, this is a resend.
    const resent = visit.flow(step.flow)?.codeSentAt !== undefined;
    const sent = await step.send(resent ? { resend: true } : {});
    if (sent.kind !== "done") return refuse(visit, form, sent);
    const code = begunMemory(sent.value, { resent, pressed: true });
    await visit.remember(step.flow, { ...step.remember(form.posted), ...code });
    return visit.redirectTo(step.here);
  }

  const checked = form.check();
  if (!checked.ok) return refuse(visit, form, checked.refused);
  const weakness = await step.advise?.(checked.values);
  const confirmed = await step.confirm(checked.values, form.posted);
  if (confirmed.kind !== "done") return refuse(visit, form, confirmed, { weakness, ...step });
  return step.done(confirmed.value, checked.values, weakness);
}

/** The same screen with the refusal. If its dialog leads to the start page, the flow and a pending session end. */
async function refuse<Field extends string>(
  visit: Visit,
  form: OpenForm<Field>,
  refused: Parameters<OpenForm<Field>["refuse"]>[1],
  { weakness, withoutSms }: { weakness?: Weakness | undefined; withoutSms?: boolean | undefined } = {},
) {
  const { status } = await visit.visitor();
  const shown = form.refuse(visit.t, refused, {
    advice: weakness && visit.t(`password:weak.${weakness}`),
    isSignedIn: status === "authenticated",
    withoutSms,
  });
  if (refused.kind === "refused" && shown.data.dialog?.confirm.does === "to-start") {
    if (status === "pending") await visit.signOut();
    else visit.forgetFlow();
  }
  return shown;
}
