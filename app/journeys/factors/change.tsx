import type { ComponentProps } from "react";
import type { FactorKind, Method } from "~/contract/factors.server";
import { readFactorName } from "~/contract/rules";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import type { FormDefinition } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";
import { MAIN_INTENT } from "~/forms/screen-form";
import type { FieldValues } from "~/contract/rules/rule-message";
import { useTexts } from "~/i18n/use-texts";
import { problem } from "~/shell/problem";
import type { Notice } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import { type CallOutcome, valueToShow, type Visit } from "~/visit/visit.server";
import { factorChange } from "../kit/flows";
import { factorCodeForm } from "../kit/forms";
import { loadProof, smsProof, methodsIn } from "../kit/proof";
import { leadOf, type Proof, ProofScreen, useProofForm } from "../kit/proof-screen";
import { answerConfirm } from "../kit/steps";
import { requestedMethod, proofForms, availableMethod } from "../kit/methods";

/** The address of the list of second factors. */
export const FACTORS = "/cp/profile#factors";

/** The address of My Data with a message about the change. */
export function resultAddress(result: "added" | "removed" | "recovery" | "sms"): string {
  return `/cp/profile?factor-save-result=${result}#factors`;
}

/**
 * Leads to My Data after a factor was added or removed. The notice names its kind; the address alone says the result
 * more briefly.
 */
export async function leaveWithResult(
  visit: Visit,
  result: "added" | "removed",
  kind: FactorKind,
): Promise<Redirect> {
  const named = {
    added: { app: "factors:result.addedApp", passkey: "factors:result.addedPasskey" },
    removed: { app: "factors:result.removedApp", passkey: "factors:result.removedPasskey" },
  } as const;
  const texts = [named[result][kind], `factors:result.${result}Effect`] as const;
  await visit.leaveNotice({ kind: "success", texts, opens: "factors" });
  return visit.redirectTo(resultAddress(result));
}

type FactorList = CallResponse<"factors">;

/** The customer's second factors. Throws a 404 page if the backend doesn't support them. */
export async function loadFactors(visit: Visit): Promise<FactorList> {
  const answer = await visit.backend.call("factors", {});
  if (answer.kind === "not-found") throw problem(404);
  return valueToShow(visit, answer);
}

/** The methods for a change of factors, the app first. */
function proofMethods(list: FactorList): readonly Exclude<Method, "recovery">[] {
  return methodsIn(list).flatMap((method) => (method === "recovery" ? [] : [method]));
}

/** The memory of a change that started on this screen. */
export function changeOn(visit: Visit, path: string) {
  const flow = visit.flow(factorChange);
  return flow?.path === path ? flow : undefined;
}

/** Until when this session changes factors without a proof, because a recovery code opened it (ms since 1970). */
function withoutProofUntil({ withoutProofUntil: until }: FactorList): number | undefined {
  const time = until === undefined ? 0 : Date.parse(until);
  return time > Date.now() ? time : undefined;
}

/** Loads the facts of a screen that confirms a change: first what it does, then the field for a code. */
export async function loadChange(visit: Visit, path: string, list: FactorList): Promise<Proof> {
  const memory = changeOn(visit, path);
  const freeUntil = withoutProofUntil(list);
  if (freeUntil !== undefined) return { ...smsProof(path, undefined), freeUntil };
  const proof = await loadProof(visit, {
    path,
    flow: factorChange,
    memory,
    methods: proofMethods(list),
    ask: () => visit.call("factorsInit", { method: "passkey" }),
    lost: { lost: true },
  });
  return { ...proof, isLost: memory?.lost };
}

const FORMS = proofForms(factorCodeForm);

interface ChangeScreenProps extends Pick<
  ComponentProps<typeof ProofScreen>,
  "proof" | "header" | "submit" | "begin" | "refused"
> {
  /** Why it has to be confirmed. */
  readonly reason: string;
}

/** The screen on which a change of second factors is confirmed. */
export function ChangeScreen(screen: ChangeScreenProps) {
  const t = useTexts();
  const { proof, refused } = screen;
  const form = useProofForm(FORMS, proof, { refused });
  const lead = proof.method === "app" ? leadOf(t, "app") : t("factors:proof.lead");
  return <ProofScreen {...screen} lead={lead} form={form} />;
}

/** A proof, or nothing shortly after a sign-in by a recovery code. */
type ChangeProof = Pick<CallRequest<"appPrepare">, "authorizationCode" | "response" | "method">;

/** A change of second factors. */
interface ChangeStep<Result> {
  readonly path: string;
  /** Whether there is anything to change; if not, the answer is a 404 page, unless the change is a repeated one. */
  readonly applies?: (list: FactorList) => boolean;
  readonly change: (proof: ChangeProof) => Promise<CallOutcome<Result>>;
  readonly done: (result: Result) => Promise<Redirect> | Redirect;
  /** Where "Back" leads; by default to the list of second factors. */
  readonly back?: `/${string}`;
}

const TOO_MANY: Notice = { kind: "warning", texts: ["factors:result.most"] };

/** Answers the screen on which a change is confirmed. */
export async function answerChange<Result>(
  visit: Visit,
  { path, applies = () => true, change, done, back = FACTORS }: ChangeStep<Result>,
) {
  const list = await loadFactors(visit);
  if (await isWithoutProof(visit, list))
    return changeWithoutProof(visit, list, { path, applies, change, done, back });
  const methods = proofMethods(list);
  const requested = availableMethod(await requestedMethod(visit), methods);
  const method = requested === "recovery" ? undefined : requested;
  const answer = await answerConfirm(visit, {
    here: path,
    flow: factorChange,
    forms: FORMS,
    method,
    withoutSms: !list.sms,
    remember: (_posted, proof) => visit.remember(factorChange, { path, ...proof }),
    send: async (resend) => {
      if (!applies(list)) throw problem(404);
      const by = method ?? proofMethod(methods[0]);
      const begun = await visit.call("factorsInit", { ...resend, method: by });
      return begun.kind === "done" ? { ...begun, value: { ...begun.value, method: by } } : begun;
    },
    confirm: async (proof) => {
      const changed = await change({ ...proof, method });
      await leaveIfTooMany(visit, changed);
      return changed;
    },
    startAgain: () => startAgain(visit, path),
    done,
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(back);
    },
  });
  if (!(answer instanceof Response) && !applies(list)) throw problem(404);
  return answer;
}

/** A method that can confirm a change; SMS if there is no other. */
function proofMethod(method: Method | undefined): Exclude<Method, "recovery"> {
  return method === "app" || method === "passkey" ? method : "sms";
}

/** Whether the form needs no proof: its main button was pressed, and it has no proof field. */
async function isWithoutProof(visit: Visit, list: FactorList): Promise<boolean> {
  const posted = await visit.posted();
  const hasField = posted.has("authorizationCode") || posted.has("response");
  return !hasField && posted.get("intent") === MAIN_INTENT && withoutProofUntil(list) !== undefined;
}

async function changeWithoutProof<Result>(
  visit: Visit,
  list: FactorList,
  { path, applies, change, done }: Required<ChangeStep<Result>>,
) {
  // The second request of a double submit finds nothing left to change.
  if (!applies(list)) return visit.redirectTo(FACTORS);
  const changed = await change({});
  if (changed.kind === "done") return done(changed.value);
  await leaveIfTooMany(visit, changed);
  if (changed.kind === "invalid") return startAgain(visit, path);
  return openForm(await visit.posted(), factorCodeForm).refuse(visit.t, changed, { isSignedIn: true });
}

async function leaveIfTooMany(visit: Visit, outcome: CallOutcome<unknown>): Promise<void> {
  if (outcome.kind !== "invalid" || !outcome.fields.includes("kind")) return;
  await visit.leaveNotice(TOO_MANY);
  throw visit.redirectTo(FACTORS);
}

/** Leads back to the first step, which says that the change was lost. */
export async function startAgain(visit: Visit, path: string): Promise<Redirect> {
  await visit.remember(factorChange, { path, resent: false, lost: true });
  return visit.redirectTo(path);
}

/** A form that adds a prepared factor, with the field that holds the factor's answer. */
interface AddStep<Field extends string> {
  readonly path: string;
  readonly kind: FactorKind;
  readonly form: FormDefinition<Field | "name">;
  /** The id of the prepared factor; undefined if another tab has replaced it. */
  readonly id: string | undefined;
  readonly add: (
    values: FieldValues<Field | "name">,
  ) => Promise<CallOutcome<{ recoveryCode?: string | undefined }>>;
  readonly said: Field;
}

/** Adds a prepared factor. If another tab has replaced it, or it is too old, the change begins again. */
export async function answerAdd<Field extends string>(
  visit: Visit,
  { path, kind, form: definition, id, add, said }: AddStep<Field>,
) {
  const form = openForm(await visit.posted(), definition);
  if (form.intent === "back") {
    visit.forgetFlow();
    return visit.redirectTo(FACTORS);
  }
  if (id !== form.posted("id")) return startAgain(visit, path);
  const checked = form.check();
  if (!checked.ok) return form.refuse(visit.t, checked.refused);
  const added = await add(checked.values);
  if (added.kind === "done") {
    const { recoveryCode } = added.value;
    if (recoveryCode === undefined) return leaveWithResult(visit, "added", kind);
    const next = "/home/recovery-code";
    await visit.remember(factorChange, { path: next, resent: false, recoveryCode, after: "added", kind });
    return visit.redirectTo(next);
  }
  if (added.kind === "refused" && added.errorCode === "010") return startAgain(visit, path);
  if (added.kind === "refused" && added.errorCode === "007")
    return form.refuse(visit.t, { kind: "invalid", fields: [said] });
  return form.refuse(visit.t, added, { isSignedIn: true });
}

/** The customer's name for a new factor, if any. */
export function namedBy(typed: string): { readonly name?: string } {
  const name = readFactorName(typed);
  return name === "" ? {} : { name };
}
