import { METHODS, type Method } from "~/contract/factors.server";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { readCodeOf } from "~/contract/rules";
import type { FieldValues } from "~/contract/rules/rule-message";
import type { Weakness } from "~/contract/rules/weak-password";
import type { OpenForm } from "~/forms/open-form.server";
import type { CodeFlow, Notice, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { factorChange } from "./flows";
import { type AskedPasskey, askPasskey, passkeyAnswerIn, withPasskeyWords } from "./passkey";
import type { Proof } from "./proof-screen";
import { answerCodeStep, type Begun, type CodeStep } from "./steps";
import { askedWay, type InWays, knownWays, shownPasskey } from "./ways";

/** A flow's memory of how it is confirmed. */
export interface WayMemory extends SentCode, AskedPasskey {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
}

/** A screen on which something is confirmed. */
interface ProofToLoad {
  readonly path: string;
  readonly flow: WayMemory | undefined;
  /** The account's ways, the first one first. */
  readonly ways: readonly Method[];
  /** The masked number that a code will go to. */
  readonly phone: () => Promise<string | undefined>;
  /** Draws a challenge for a passkey, and sends nothing. */
  readonly ask: () => Promise<CallOutcome<AskedPasskey>>;
  /** Notes that a passkey was asked. */
  readonly remember: (asked: AskedPasskey & { readonly method: "passkey" }) => Promise<void>;
  /** Begins again: the account no longer has a passkey. */
  readonly startAgain: () => Promise<Redirect>;
}

/**
 * Loads the facts of a screen that confirms a change: the way that the address names, else the one in use, else the
 * first.
 */
export async function loadProof(visit: Visit, screen: ProofToLoad): Promise<Proof> {
  const { path, flow, ways, phone } = screen;
  const isBegun = flow?.method !== undefined;
  const asked = (await askedWay(visit)) ?? flow?.method;
  const method = ways.find((way) => way === asked) ?? ways[0] ?? "sms";
  const isCodeToCome = method === "sms" && flow?.codeSentAt === undefined;
  return {
    path,
    method,
    ways,
    isBegun,
    code: { ...sentCodeOf(flow), ...(isCodeToCome && { phone: await phone() }) },
    question: isBegun && method === "passkey" ? await loadQuestion(visit, screen) : undefined,
  };
}

/** The facts of a screen that only a code by SMS confirms. */
export function smsProof(path: string, flow: SentCode | undefined): Proof {
  return { path, method: "sms", ways: ["sms"], isBegun: true, code: sentCodeOf(flow) };
}

/** The part of a flow's memory that a page says about the code. */
export function sentCodeOf(flow: SentCode = { resent: false }): SentCode {
  const { codeSentAt, resent, pressed, sentTo } = flow;
  return { codeSentAt, resent, pressed, sentTo };
}

/** The masked number of the customer in session, if the backend says it. */
export async function ownPhone({ backend }: Visit): Promise<string | undefined> {
  const profile = await backend.call("profile", {});
  return profile.kind === "done" ? profile.value.phone : undefined;
}

async function loadQuestion(visit: Visit, { flow, ask, remember, startAgain }: ProofToLoad) {
  const question = await askPasskey(visit, {
    asked: flow?.method === "passkey" ? flow : undefined,
    ask,
    remember: (asked) => remember({ method: "passkey", ...asked }),
  });
  if (question === "gone") throw await startAgain();
  return question;
}

/** A change that isn't one of factors, confirmed beside the fields that say what changes. */
interface ChangeToLoad<Kept extends object> {
  readonly path: string;
  readonly flow: CodeFlow<Kept & WayMemory>;
  readonly ask: ProofToLoad["ask"];
  /** Default: asks the backend. */
  readonly phone?: ProofToLoad["phone"];
}

/** Loads the facts of a screen that confirms such a change. */
export async function loadProven<Kept extends object>(
  visit: Visit,
  { path, flow, ask, phone = () => ownPhone(visit) }: ChangeToLoad<Kept>,
): Promise<Proof> {
  const memory = visit.flow(flow);
  return loadProof(visit, {
    path,
    flow: memory,
    ways: await waysToConfirm(visit, memory),
    phone,
    ask,
    remember: async (asked) => {
      if (memory) await visit.remember(flow, { ...memory, ...asked });
    },
    startAgain: async () => {
      if (memory) await visit.remember(flow, { ...memory, ...NOT_BEGUN });
      return visit.redirectTo(path);
    },
  });
}

/** The keys of the texts of such a screen: why it asks for something, and the lead if it isn't about an SMS. */
export function askingTexts({ method }: Proof) {
  return method === "sms"
    ? ({ reason: "common:code.reason" } as const)
    : ({ reason: "factors:proof.reason", lead: "factors:proof.lead" } as const);
}

/** The way of a flow that begins again. */
const NOT_BEGUN = {
  methods: undefined,
  method: undefined,
  options: undefined,
  codeSentAt: undefined,
  resent: false,
};

/** The ways to confirm a change that isn't one of factors: those that the flow remembers, or else the account's. */
async function waysToConfirm(visit: Visit, flow: WayMemory | undefined): Promise<readonly Method[]> {
  if (flow?.methods) return knownWays(flow.methods);
  // It was begun, and the backend has named no ways.
  if (flow?.codeSentAt !== undefined) return ["sms"];
  const list = await visit.backend.call("factors", {});
  if (list.kind !== "done") return ["sms"];
  const ways = waysIn(list.value);
  // A recovery code has opened the session, so app and passkey are lost.
  return list.value.withoutProofUntil === undefined ? ways : [...ways].reverse();
}

/** The ways to confirm that an account has by the list of its factors. */
export function waysIn({ factors, sms, recoveryCode }: CallResponse<"factors">): readonly Method[] {
  const has = (kind: string) => factors.some((factor) => factor.kind === kind);
  const usable: Record<Method, boolean> = {
    app: has("app"),
    passkey: has("passkey"),
    recovery: factors.length > 0 && recoveryCode !== null,
    sms,
  };
  return METHODS.filter((method) => usable[method]);
}

/** A proof as a call takes it: the code in the field that the call has for it, or a passkey's answer. */
export type TypedProof = Pick<CallRequest<"passwordResetConfirm">, "method" | "response"> & {
  readonly code?: string | undefined;
};

type Posted = OpenForm<string>["posted"];

/** A screen's form in each way, and the effects of its buttons. */
interface StepInWays<Field extends string, Kept extends object, Result> extends Omit<
  CodeStep<Field, Kept, Result>,
  "form" | "confirm" | "namesEnd"
> {
  /** The way that the form was made for; undefined without second factors. */
  readonly method: Method | undefined;
  readonly forms: InWays<Field>;
  readonly confirm: (
    proof: TypedProof,
    values: FieldValues<Field>,
    posted: Posted,
  ) => Promise<CallOutcome<Result>>;
}

/** Answers a form that confirms something by a passkey, or by a code of any kind. */
export function answerInWay<Field extends string, Kept extends object, Result>(
  visit: Visit,
  { method, forms, confirm, ...step }: StepInWays<Field, Kept, Result>,
) {
  const by = method && { method };
  if (method === "passkey")
    return answerCodeStep<Field | "response", Kept, Result>(visit, {
      ...step,
      form: forms.passkey,
      confirm: async ({ response, ...values }, posted) => {
        const proof = { ...by, response: passkeyAnswerIn(response) };
        return withPasskeyWords(visit, await confirm(proof, values as FieldValues<Field>, posted));
      },
    });
  return answerCodeStep<Field | "authorizationCode", Kept, Result>(visit, {
    ...step,
    form: forms[method ?? "sms"],
    namesEnd: (method ?? "sms") === "sms",
    confirm: async ({ authorizationCode, ...values }, posted) => {
      const proof = { ...by, code: readCodeOf(method, authorizationCode) };
      return withFactorWords(method, await confirm(proof, values as FieldValues<Field>, posted));
    },
  });
}

/** Whether a method has become unusable since the screen was shown. */
export function isMethodGone(outcome: {
  readonly kind: string;
  readonly fields?: readonly string[];
}): boolean {
  return outcome.kind === "invalid" && outcome.fields?.includes("method") === true;
}

/**
 * A wrong code of a factor as a refused field, whose text its form names: the catalogue's words for 007 and 010 speak of
 * an SMS.
 */
function withFactorWords<Value>(method: Method | undefined, outcome: CallOutcome<Value>): CallOutcome<Value> {
  const isWrong = outcome.kind === "refused" && outcome.errorCode === "007";
  if (!isWrong || method === undefined || method === "sms") return outcome;
  return { kind: "invalid", fields: ["authorizationCode"] };
}

/** Where a change leads, and the notice of the next screen. */
interface Done {
  readonly to: `/cp${string}`;
  readonly notice?: Notice | undefined;
}

/** A screen that confirms a change in any of the account's ways, and the effects of its buttons. */
interface ProvenStep<Field extends string, Kept extends object> {
  readonly path: string;
  readonly forms: InWays<Field>;
  readonly flow: CodeFlow<Kept & WayMemory>;
  /** The flow's memory, besides the code and the way. */
  readonly remember: (posted: Posted) => NoInfer<Kept>;
  readonly send: (by: { resend?: true; method?: Method }) => Promise<CallOutcome<Begun>>;
  readonly confirm: (
    proof: TypedProof,
    values: FieldValues<Field>,
  ) => Promise<CallOutcome<{ recoveryCode?: string | undefined }>>;
  readonly advise?: (values: FieldValues<Field>) => Promise<Weakness | undefined>;
  /** Where it leads if the change can't be made now. */
  readonly origin?: Done["to"];
  readonly done: (weakness: Weakness | undefined) => Done;
  readonly back: () => Redirect;
}

/** Answers the form of a screen that confirms a change (docs/screens.md, "Screens"). */
export async function answerProof<Field extends string, Kept extends object>(
  visit: Visit,
  { path, forms, flow, remember, send, confirm, advise, origin, done, back }: ProvenStep<Field, Kept>,
) {
  const begun = visit.flow(flow);
  const ways = knownWays(begun?.methods);
  const asked = await askedWay(visit);
  return answerInWay(visit, {
    here: path,
    flow,
    forms,
    method: shownPasskey(asked, ways),
    remember,
    advise,
    origin,
    withoutSms: begun?.methods !== undefined && !ways.includes("sms"),
    send: async (resend) => {
      const sent = await send({ ...resend, ...(asked && { method: asked }) });
      // The way that the page offered is gone: the backend names one that is left.
      return isMethodGone(sent) ? send({}) : sent;
    },
    confirm: async (proof, values, posted) => {
      const confirmed = await confirm(proof, values);
      if (!isMethodGone(confirmed)) return confirmed;
      await visit.remember(flow, { ...remember(posted), resent: false });
      throw visit.redirectTo(path);
    },
    done: ({ recoveryCode }, _values, weakness) => leave(visit, done(weakness), recoveryCode),
    back,
  });
}

/** Leads on after a change; if a recovery code has confirmed it, by way of the new one. */
async function leave(
  visit: Visit,
  { to, notice }: Done,
  recoveryCode: string | undefined,
): Promise<Redirect> {
  if (recoveryCode !== undefined) {
    const path = "/home/recovery-code";
    const after = { after: "change" as const, leadsTo: to, notice };
    await visit.remember(factorChange, { path, resent: false, recoveryCode, ...after });
    return visit.redirectTo(path);
  }
  if (notice) await visit.leaveNotice(notice);
  else visit.forgetFlow();
  return visit.redirectTo(to);
}
