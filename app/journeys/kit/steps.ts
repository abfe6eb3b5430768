import { isDeepStrictEqual } from "node:util";
import type { CallRequest } from "~/contract/calls.server";
import type { Method, RequestOptions } from "~/contract/factors.server";
import type { FormRefusal } from "~/contract/refusal.server";
import { MOST_FACTOR_NAME, readCodeOf } from "~/contract/rules";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm, type OpenForm } from "~/forms/open-form.server";
import type { Circumstances, RuleRefusal } from "~/forms/show-refusal.server";
import type { FieldValues } from "~/contract/rules/rule-message";
import type { Weakness } from "~/contract/rules/weak-password";
import type { CodeFlow, SentCode } from "~/visit/flow.server";
import { type Redirect, withoutFrozenVersion } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { codeEndedAt } from "./code-status";
import { type PasskeyChallenge, challengeMemory, passkeyAnswerIn, passkeyRefusal } from "./passkey";
import { type FormsByMethod, knownMethods } from "./methods";

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

/** Answers the form of a first screen: a double submit sends no second code (docs/screens.md, "Answers"). */
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

/** The answer to a request for a code. With a method that needs no code, nothing was sent. */
export interface Begun extends Pick<SentCode, "sentTo"> {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly options?: RequestOptions | undefined;
}

/** What a flow remembers of its code or method. */
export interface ProofMemory extends SentCode, PasskeyChallenge {
  readonly methods?: string[] | undefined;
  readonly method?: string | undefined;
}

/** A flow's memory of a sent code. `pressed`: by the customer, just now. */
export function begunMemory(
  { methods, options, ...begun }: Begun,
  { resent, pressed }: { resent: boolean; pressed?: true },
): ProofMemory {
  const isSent = begun.method === undefined || begun.method === "sms";
  return {
    ...begun,
    ...(methods && { methods: [...knownMethods(methods)] }),
    ...challengeMemory(options),
    ...(isSent ? { codeSentAt: Date.now(), resent, pressed } : { resent: false }),
  };
}

/** A proof as a call takes it: a code of any kind, or a passkey's answer. */
export type TypedProof = Pick<
  CallRequest<"passwordResetConfirm">,
  "method" | "authorizationCode" | "response"
>;

type Posted = OpenForm<string>["posted"];

/** A screen that confirms something, by a code or by a passkey, and the effects of its three buttons. */
export interface ConfirmStep<Field extends string, Result> {
  readonly here: string;
  readonly forms: FormsByMethod<Field>;
  /** The method of the posted form; undefined without second factors. */
  readonly method?: Method | undefined;
  readonly flow: CodeFlow<object>;
  /** Stores the flow's memory after a code was sent. `posted` returns a value as typed so far. */
  readonly remember: (posted: Posted, proof: ProofMemory) => Promise<void>;
  readonly send: (resend: { resend?: true }) => Promise<CallOutcome<Begun>>;
  readonly confirm: (
    proof: TypedProof,
    values: FieldValues<Field>,
    posted: Posted,
  ) => Promise<CallOutcome<Result>>;
  /** Starts again if the method has become unusable since the screen was shown. */
  readonly startAgain?: (posted: Posted) => Promise<Redirect | undefined>;
  /**
   * Says whether a new password is weak. If the form is refused, it shows a hint; otherwise `done` may leave a notice.
   */
  readonly advise?: ((values: FieldValues<Field>) => Promise<Weakness | undefined>) | undefined;
  /** No code can be sent by SMS, so a block ends by itself. */
  readonly withoutSms?: boolean | undefined;
  /** Where it leads if the change can't be made now. */
  readonly origin?: string | undefined;
  /** For signed-out visitors, who must not learn that a code has expired (S3). */
  readonly signedOut?: boolean;
  readonly done: (
    result: Result,
    values: FieldValues<Field>,
    weakness: Weakness | undefined,
  ) => Promise<Redirect> | Redirect;
  readonly back: () => Promise<Redirect> | Redirect;
}

/** Answers the form of a screen that confirms something (docs/screens.md, "Screens"). */
export async function answerConfirm<Field extends string, Result>(
  visit: Visit,
  step: ConfirmStep<Field, Result>,
) {
  const { method = "sms", flow, origin, withoutSms } = step;
  const form = openForm(await visit.posted(), step.forms[method] as FormDefinition);
  if (form.intent === "back") return step.back();

  if (form.intent === "send-code") {
    // If a code was already sent, this is a resend.
    const resent = visit.flow(flow)?.codeSentAt !== undefined;
    const sent = await step.send(resent ? { resend: true } : {});
    if (sent.kind !== "done") return refuse(visit, form, sent, { flow, origin });
    await step.remember(form.posted, begunMemory(sent.value, { resent, pressed: true }));
    return visit.redirectTo(step.here);
  }

  const checked = form.check();
  if (!checked.ok) return refuse(visit, form, checked.refused, { flow });
  const values = checked.values as FieldValues<Field>;
  const weakness = await step.advise?.(values);
  const confirmed = await step.confirm(proofIn(step.method, checked.values), values, form.posted);
  if (confirmed.kind === "done") return step.done(confirmed.value, values, weakness);
  const elsewhere = isMethodGone(confirmed) ? await step.startAgain?.(form.posted) : undefined;
  if (elsewhere) return elsewhere;
  const namesEnd = method === "sms" && !step.signedOut;
  return refuse(visit, form, methodRefusal(visit, method, confirmed), {
    flow,
    weakness,
    withoutSms,
    origin,
    codeEndedAt: namesEnd ? codeEndedAt(visit.t, visit.flow(flow)) : undefined,
  });
}

function proofIn(method: Method | undefined, typed: FieldValues<string>): TypedProof {
  const { response = "", authorizationCode = "" } = typed;
  const by = method && { method };
  if (method === "passkey") return { ...by, response: passkeyAnswerIn(response) };
  return { ...by, authorizationCode: readCodeOf(method, authorizationCode) };
}

/** Whether a method has become unusable since the screen was shown. */
export function isMethodGone(outcome: {
  readonly kind: string;
  readonly fields?: readonly string[];
}): boolean {
  return outcome.kind === "invalid" && outcome.fields?.includes("method") === true;
}

/**
 * Turns a wrong code of a factor into a refused field, so that the form's own text is shown: the catalogue's texts for
 * 007 and 010 mention an SMS.
 */
function methodRefusal(visit: Visit, method: Method, refused: FormRefusal): FormRefusal | RuleRefusal {
  if (method === "passkey") return passkeyRefusal(visit, refused);
  const isWrong = refused.kind === "refused" && refused.errorCode === "007";
  return isWrong && method !== "sms" ? { kind: "invalid", fields: ["authorizationCode"] } : refused;
}

interface RefusedStep extends Circumstances {
  readonly flow: CodeFlow<object>;
  readonly weakness?: Weakness | undefined;
}

/**
 * The same screen with the refusal. If its dialog leads to the start page, the flow and a pending session end, but not a
 * flow that another tab has started since.
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
 * A factor's name as pages show it. An attached backend may allow any length, and an unnamed passkey has its device's
 * name.
 */
export function shownFactorName(name: string): string {
  const shown = /^[^,]+ \d+, [^,]+$/.test(name) ? withoutFrozenVersion(name) : name;
  return [...shown].slice(0, MOST_FACTOR_NAME).join("");
}
