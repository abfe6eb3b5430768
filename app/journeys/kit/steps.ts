import { isDeepStrictEqual } from "node:util";
import type { RequestOptions } from "~/contract/factors.server";
import { MOST_FACTOR_NAME } from "~/contract/rules";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm, type OpenForm } from "~/forms/open-form.server";
import type { Circumstances, RuleRefusal } from "~/forms/show-refusal.server";
import type { FieldValues } from "~/contract/rules/rule-message";
import type { Weakness } from "~/contract/rules/weak-password";
import type { CodeFlow, SentCode } from "~/visit/flow.server";
import { type Redirect, withoutFrozenVersion } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { codeEndedAt } from "./code-status";
import { askedMemory } from "./passkey";
import { knownWays } from "./ways";

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
  const form = openForm(await visit.posted(), step.form);
  const checked = form.check();
  if (!checked.ok) return refuse(visit, form, checked.refused, { flow: step.flow });

  const kept = step.remember(checked.values);
  const begun = visit.flow(step.flow);
  const isRecent = Date.now() - (begun?.codeSentAt ?? 0) <= SAME_START_MS;
  if (isRecent && isDeepStrictEqual({ ...begun, ...kept }, begun)) return visit.redirectTo(step.next);

  const sent = await step.send(kept);
  if (sent.kind !== "done") return refuse(visit, form, sent, { flow: step.flow });
  await visit.remember(step.flow, { ...kept, codeSentAt: Date.now(), resent: false });
  return visit.redirectTo(step.next);
}

/** The number that a code went to. With a method that needs no code, nothing was sent. */
export interface Begun extends Pick<SentCode, "sentTo"> {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly options?: RequestOptions | undefined;
}

/** A flow's memory of a sent code. `pressed`: by the customer, just now. */
export function begunMemory(
  { methods, options, ...begun }: Begun,
  { resent, pressed }: { resent: boolean; pressed?: true },
) {
  const isSent = begun.method === undefined || begun.method === "sms";
  return {
    ...begun,
    ...(methods && { methods: [...knownWays(methods)] }),
    ...askedMemory(options),
    ...(isSent ? { codeSentAt: Date.now(), resent, pressed } : { resent: false }),
  };
}

/** A screen that takes a one-time code, and the effects of its three buttons. */
export interface CodeStep<Field extends string, Kept extends object, Result> {
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
  ) => Promise<CallOutcome<Result> | RuleRefusal>;
  /**
   * Says whether a new password is weak. If the form is refused, it shows a hint; otherwise `done` may leave a notice.
   */
  readonly advise?: ((values: FieldValues<Field>) => Promise<Weakness | undefined>) | undefined;
  /** No code can be sent by SMS, so a block ends by itself. */
  readonly withoutSms?: boolean | undefined;
  /** Where it leads if the change can't be made now. */
  readonly origin?: string | undefined;
  /**
   * The screen names the time until which its code by SMS is valid, and so says that it is over. Not for signed-out
   * visitors (S3).
   */
  readonly namesEnd?: boolean | undefined;
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
  const form = openForm(await visit.posted(), step.form);
  if (form.intent === "back") return step.back();

  if (form.intent === "send-code") {
    // If a code was already sent, this is a resend.
    const resent = visit.flow(step.flow)?.codeSentAt !== undefined;
    const sent = await step.send(resent ? { resend: true } : {});
    if (sent.kind !== "done") return refuse(visit, form, sent, { flow: step.flow, origin: step.origin });
    const code = begunMemory(sent.value, { resent, pressed: true });
    await visit.remember(step.flow, { ...step.remember(form.posted), ...code });
    return visit.redirectTo(step.here);
  }

  const checked = form.check();
  if (!checked.ok) return refuse(visit, form, checked.refused, { flow: step.flow });
  const weakness = await step.advise?.(checked.values);
  const confirmed = await step.confirm(checked.values, form.posted);
  if (confirmed.kind !== "done") {
    const { flow, withoutSms, namesEnd, origin } = step;
    const endedAt = namesEnd ? codeEndedAt(visit.t, visit.flow(flow)) : undefined;
    return refuse(visit, form, confirmed, { flow, weakness, withoutSms, origin, codeEndedAt: endedAt });
  }
  return step.done(confirmed.value, checked.values, weakness);
}

interface RefusedStep extends Circumstances {
  readonly flow: CodeFlow<object>;
  readonly weakness?: Weakness | undefined;
}

/**
 * The same screen with the refusal. If its dialog leads to the start page, the flow and a pending session end, but not a
 * flow that another tab began since.
 */
async function refuse<Field extends string>(
  visit: Visit,
  form: OpenForm<Field>,
  refused: Parameters<OpenForm<Field>["refuse"]>[1],
  { flow, weakness, ...circumstances }: RefusedStep,
) {
  const { status } = await visit.visitor();
  const shown = form.refuse(visit.t, refused, {
    advice: weakness && visit.t(`password:weak.${weakness}`),
    isSignedIn: status === "authenticated",
    ...circumstances,
  });
  if (refused.kind === "refused" && shown.data.dialog?.confirm.does === "to-start") {
    if (status === "pending") await visit.signOut();
    else if (!isOfOlderFlow(visit, form, flow)) visit.leaveFlow(flow);
  }
  return shown;
}

/** Whether a form belongs to an older flow of the same kind: it names when its code was sent (proof-screen.tsx). */
function isOfOlderFlow(visit: Visit, { posted }: OpenForm<string>, flow: CodeFlow<object>): boolean {
  const sentAt = posted("sentAt");
  return sentAt !== "" && sentAt !== String(visit.flow(flow)?.codeSentAt);
}

/**
 * A factor's name as pages show it: an insurer's own backend may keep one of any length, and passkeys that nobody named
 * have the device's name.
 */
export function shownFactorName(name: string): string {
  const shown = /^[^,]+ \d+, [^,]+$/.test(name) ? withoutFrozenVersion(name) : name;
  return [...shown].slice(0, MOST_FACTOR_NAME).join("");
}
