import { METHODS, type Method } from "~/contract/factors.server";
import { readCode } from "~/contract/rules";
import type { CallResponse } from "~/contract/calls.server";
import { formTexts } from "~/forms/form-texts.server";
import { words } from "~/i18n/texts.server";
import { problem } from "~/shell/problem.server";
import type { Notice } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import { type CallOutcome, valueToShow, type Visit } from "~/visit/visit.server";
import { codeStatus, codeWords } from "../kit/code-words.server";
import { factorChange } from "../kit/flows.server";
import { appCodeForm, factorCodeForm } from "../kit/forms";
import {
  answerCodeStep,
  askedWay,
  factorWords,
  isMethodGone,
  otherWays,
  wayAddress,
  withFactorWords,
} from "../kit/steps.server";

/** Where the second factors are listed. */
export const FACTORS = "/cp/profile#factors";

/** My Data, which says what has changed. */
export function resultAddress(result: "added" | "removed" | "recovery" | "sms"): string {
  return `/cp/profile?factor-save-result=${result}#factors`;
}

type FactorList = CallResponse<"factors">;

/** The customer's second factors. Throws a 404 page where the backend knows none. */
export async function loadFactors(visit: Visit): Promise<FactorList> {
  const answer = await visit.backend.call("factors", {});
  if (answer.kind === "not-found") throw await problem(visit, 404);
  return valueToShow(visit, answer);
}

/** What can confirm a change, the app first. */
function proofWays({ factors, sms }: FactorList): readonly Method[] {
  const usable: Partial<Record<Method, boolean>> = { app: factors.some(({ kind }) => kind === "app"), sms };
  return METHODS.filter((method) => usable[method]);
}

/** The memory of a change that was begun on this screen. */
export function changeOn(visit: Visit, path: string) {
  const flow = visit.flow(factorChange);
  return flow?.path === path ? flow : undefined;
}

/** The texts of a change: what it is, and why. */
interface ChangeTexts {
  readonly title: string;
  readonly header: string;
  readonly reason: string;
  readonly submit: string;
}

/** Loads the screen on which a change is confirmed: first what it does, then the field for a code. */
export async function loadChange(visit: Visit, path: string, list: FactorList, texts: ChangeTexts) {
  const { t } = visit;
  const flow = changeOn(visit, path);
  const ways = proofWays(list);
  const asked = flow?.method === undefined ? undefined : await askedWay(visit);
  const method = ways.find((way) => way === (asked ?? flow?.method)) ?? ways[0] ?? "sms";
  const isBegun = flow?.method !== undefined;
  const code = codeWords(t);
  const first = { codeSent: false, status: t("factors:proof.app") };
  const status = method === "sms" ? codeStatus(t, flow, false) : first;
  return {
    ...(flow?.lost ? { ...first, status: t("factors:proof.lost") } : status),
    title: texts.title,
    factor: isBegun && method === "app" ? factorWords(t).app : undefined,
    here: isBegun ? wayAddress(path, method) : path,
    method: isBegun ? method : undefined,
    ways: isBegun ? otherWays(t, path, ways, method) : [],
    smsAddress: ways.includes("sms") ? wayAddress(path, "sms") : undefined,
    code: isBegun || method === "sms" ? code : { ...code, send: t("factors:proof.next") },
    texts: formTexts(t, method === "app" ? appCodeForm : factorCodeForm),
    words: {
      ...words(t, { back: "common:action.back", ways: "factors:ways.title" }),
      header: texts.header,
      lead: t("factors:proof.lead"),
      reason: texts.reason,
      submit: texts.submit,
    },
  };
}

/** A proof, or nothing shortly after a sign-in by a recovery code. */
interface Proof {
  readonly authorizationCode?: string;
  readonly method?: "sms" | "app";
}

/** A change of second factors. */
interface ChangeStep<Result> {
  readonly path: string;
  /** Whether there is anything to change; if not, the answer is a 404 page. A repeated change is answered all the same. */
  readonly applies?: (list: FactorList) => boolean;
  readonly change: (proof: Proof) => Promise<CallOutcome<Result>>;
  readonly done: (result: Result) => Promise<Redirect> | Redirect;
}

const TOO_MANY: Notice = { kind: "warning", texts: ["factors:result.most"] };

/** Answers the screen on which a change is confirmed. */
export async function answerChange<Result>(
  visit: Visit,
  { path, applies = () => true, change, done }: ChangeStep<Result>,
) {
  const asked = await askedWay(visit);
  const list = await loadFactors(visit);
  const ways = proofWays(list);
  const method = asked === "app" || asked === "sms" ? asked : undefined;
  const answer = await answerCodeStep(visit, {
    here: path,
    form: method === "app" ? appCodeForm : factorCodeForm,
    flow: factorChange,
    withoutSms: !list.sms,
    remember: () => ({ path }),
    send: async (resend) => {
      if (!applies(list)) throw await problem(visit, 404);
      if (changeOn(visit, path)?.method === undefined) await changeWithoutProof(visit, change, done);
      const by = method ?? (ways[0] === "app" ? "app" : "sms");
      const begun = await visit.call("factorsInit", { ...resend, method: by });
      return begun.kind === "done" ? { ...begun, value: { ...begun.value, method: by } } : begun;
    },
    confirm: async ({ authorizationCode }) => {
      const changed = await change({
        authorizationCode: readCode(authorizationCode),
        ...(method && { method }),
      });
      if (isMethodGone(changed)) throw await startAgain(visit, path);
      await leaveIfTooMany(visit, changed);
      return withFactorWords(method, changed);
    },
    done,
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(FACTORS);
    },
  });
  if (!(answer instanceof Response) && !applies(list)) throw await problem(visit, 404);
  return answer;
}

/** A session that a recovery code has just opened needs no proof. Throws what `done` answers then. */
async function changeWithoutProof<Result>(
  visit: Visit,
  change: ChangeStep<Result>["change"],
  done: ChangeStep<Result>["done"],
): Promise<void> {
  const changed = await change({});
  if (changed.kind === "done") throw await done(changed.value);
  await leaveIfTooMany(visit, changed);
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
