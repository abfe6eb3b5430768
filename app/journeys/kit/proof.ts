import { METHODS, type Method } from "~/contract/factors.server";
import { readCodeOf } from "~/contract/rules";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import type { OpenForm } from "~/forms/open-form.server";
import type { FieldValues } from "~/forms/rules/rule-message";
import type { Weakness } from "~/forms/rules/weak-password";
import type { CodeFlow, Notice, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { type CodeStatus, codeStatusInSession, codeWords } from "./code-words";
import { factorChange } from "./flows";
import { type AskedPasskey, askPasskey, passkeyAnswerIn, questionInWords, withPasskeyWords } from "./passkey";
import type { InWays } from "./proof-forms";
import {
  answerCodeStep,
  askedWay,
  type Begun,
  factorWords,
  isMethodGone,
  knownWays,
  otherWays,
  shownPasskey,
  wayAddress,
  withFactorWords,
} from "./steps";

/** A flow's memory of how it is confirmed. */
interface WayMemory extends SentCode, AskedPasskey {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
}

/** A screen on which a change is confirmed. */
interface ProofScreen {
  readonly path: string;
  readonly flow: WayMemory | undefined;
  /** The account's ways, the first one first. */
  readonly ways: readonly Method[];
  /** The words about the code, if one by SMS confirms. */
  readonly status: CodeStatus;
  /** Draws a challenge for a passkey, and sends nothing. */
  readonly ask: () => Promise<CallOutcome<AskedPasskey>>;
  /** Notes that a passkey was asked. */
  readonly remember: (asked: AskedPasskey & { readonly method: "passkey" }) => Promise<void>;
  /** Begins again: the account no longer has a passkey. */
  readonly startAgain: () => Promise<Redirect>;
}

/** Whether there is more than the SMS. */
const isChoice = (ways: readonly Method[]) => ways.some((way) => way !== "sms");

/**
 * The words and the state of a screen on which a change is confirmed: before it is begun, the way that comes first; then
 * the field of the way in use, and links to the others.
 */
export async function loadProof(visit: Visit, screen: ProofScreen) {
  const { t } = visit;
  const { path, flow, ways } = screen;
  const isBegun = flow?.method !== undefined;
  const asked = isBegun ? await askedWay(visit) : undefined;
  const method = ways.find((way) => way === (asked ?? flow?.method)) ?? ways[0] ?? "sms";
  const question = isBegun && method === "passkey" ? await questionFor(visit, screen) : undefined;
  const isByCode = method === "app" || method === "recovery";
  const code = codeWords(t);
  return {
    ...(method === "sms" ? screen.status : statusOf(visit, method, { isBegun, wait: question?.wait })),
    here: isBegun && isChoice(ways) ? wayAddress(path, method) : path,
    code: isBegun || method === "sms" ? code : { ...code, send: t("factors:proof.next") },
    proof: {
      method: isChoice(ways) ? method : undefined,
      factor: isBegun && isByCode ? { method, ...factorWords(t)[method] } : undefined,
      question: question && questionInWords(t, question),
      ways: isBegun ? otherWays(t, path, ways, method) : [],
      waysTitle: t("factors:ways.title"),
      smsAddress: ways.includes("sms") ? wayAddress(path, "sms") : undefined,
    },
  };
}

/** Says how a change is confirmed, other than by SMS. */
function statusOf(
  { t }: Visit,
  method: Exclude<Method, "sms">,
  { isBegun, wait }: { readonly isBegun: boolean; readonly wait: string | undefined },
): CodeStatus {
  if (wait !== undefined) return { codeSent: true, status: wait, stopped: true };
  const isByCode = method !== "passkey";
  const status = isBegun && isByCode ? factorWords(t)[method].lead : t(`factors:proof.${method}`);
  return { codeSent: isBegun, status };
}

async function questionFor(visit: Visit, { flow, ask, remember, startAgain }: ProofScreen) {
  const question = await askPasskey(visit, {
    asked: flow?.method === "passkey" ? flow : undefined,
    ask,
    remember: (asked) => remember({ method: "passkey", ...asked }),
  });
  if (question === "gone") throw await startAgain();
  return question;
}

/** A screen on which a change that isn't one of factors is confirmed, beside the fields that say what changes. */
interface ProvenScreen<Kept extends object> {
  readonly path: string;
  readonly flow: CodeFlow<Kept & WayMemory>;
  readonly ask: ProofScreen["ask"];
  /** Default: that of a session. */
  readonly status?: CodeStatus;
}

/** Loads such a screen. `asks`: the text that says why it asks for something; `lead`: instead of one about an SMS. */
export async function loadProven<Kept extends object>(
  visit: Visit,
  { path, flow, ask, status }: ProvenScreen<Kept>,
) {
  const { t } = visit;
  const memory = visit.flow(flow);
  const [ways, usual] = await Promise.all([
    waysToConfirm(visit, memory),
    status ?? codeStatusInSession(visit, memory),
  ]);
  const screen = await loadProof(visit, {
    path,
    flow: memory,
    ways,
    status: usual,
    ask,
    remember: async (asked) => {
      if (memory) await visit.remember(flow, { ...memory, ...asked });
    },
    startAgain: async () => {
      if (memory) await visit.remember(flow, { ...memory, ...NOT_BEGUN });
      return visit.redirectTo(path);
    },
  });
  const bySms = (screen.proof.method ?? "sms") === "sms";
  return {
    screen,
    asks: bySms ? ("common:code.reason" as const) : ("factors:proof.reason" as const),
    lead: bySms ? {} : { lead: t("factors:proof.lead") },
  };
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
  return list.kind === "done" ? waysIn(list.value) : ["sms"];
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

/** What confirms a change, as a call takes it: `code` in the field that the call has for it. */
type Proof = Pick<CallRequest<"passwordResetConfirm">, "method" | "response"> & {
  readonly code?: string | undefined;
};

/** Where a change leads, and what the next screen says. */
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
  readonly remember: (posted: OpenForm<Field>["posted"]) => NoInfer<Kept>;
  readonly send: (by: { resend?: true; method?: Method }) => Promise<CallOutcome<Begun>>;
  readonly confirm: (
    proof: Proof,
    values: FieldValues<Field>,
  ) => Promise<CallOutcome<{ recoveryCode?: string | undefined }>>;
  readonly advise?: (values: FieldValues<Field>) => Promise<Weakness | undefined>;
  readonly done: (weakness: Weakness | undefined) => Done;
  readonly back: () => Redirect;
}

/** Answers the form of a screen that confirms a change (docs/screens.md, "Screens"). */
export async function answerProof<Field extends string, Kept extends object>(
  visit: Visit,
  proven: ProvenStep<Field, Kept>,
) {
  const { path, forms, flow, remember, send, advise, back } = proven;
  const begun = visit.flow(flow);
  const ways = knownWays(begun?.methods);
  const asked = await askedWay(visit);
  const method = shownPasskey(asked, ways);
  const confirm = async (proof: Proof, values: FieldValues<Field>, posted: OpenForm<Field>["posted"]) => {
    const confirmed = await proven.confirm({ ...proof, ...(method && { method }) }, values);
    if (!isMethodGone(confirmed)) return confirmed;
    await visit.remember(flow, { ...remember(posted), resent: false });
    throw visit.redirectTo(path);
  };
  const step = {
    here: path,
    flow,
    remember,
    advise,
    withoutSms: begun?.methods !== undefined && !ways.includes("sms"),
    send: async (resend: { resend?: true }) => {
      const sent = await send({ ...resend, ...(asked && { method: asked }) });
      // The way that the page offered is gone: the backend names one that is left.
      return isMethodGone(sent) ? send({}) : sent;
    },
    done: (
      { recoveryCode }: { recoveryCode?: string | undefined },
      _values: unknown,
      weakness: Weakness | undefined,
    ) => leave(visit, proven.done(weakness), recoveryCode),
    back,
  };
  return method === "passkey"
    ? answerCodeStep(visit, {
        ...step,
        form: forms.passkey,
        confirm: async ({ response, ...values }, posted) => {
          const proof = { response: passkeyAnswerIn(response) };
          return withPasskeyWords(visit, await confirm(proof, values as FieldValues<Field>, posted));
        },
      })
    : answerCodeStep(visit, {
        ...step,
        form: forms[method ?? "sms"],
        namesEnd: (method ?? "sms") === "sms",
        confirm: async ({ authorizationCode, ...values }, posted) => {
          const code = readCodeOf(method, authorizationCode);
          return withFactorWords(method, await confirm({ code }, values as FieldValues<Field>, posted));
        },
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
