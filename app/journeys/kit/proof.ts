import { METHODS, type Method } from "~/contract/factors.server";
import type { CallResponse } from "~/contract/calls.server";
import { isWait } from "~/contract/refusal.server";
import type { Weakness } from "~/contract/rules/weak-password";
import { waitText } from "~/i18n/wait-text.server";
import type { CodeFlow, Notice, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { factorChange } from "./flows";
import { type PasskeyChallenge, challengeMemory, type PasskeyQuestion, isChallengeValid } from "./passkey";
import type { Proof } from "./proof-screen";
import { answerConfirm, type Begun, type ConfirmStep, isMethodGone, type ProofMemory } from "./steps";
import { requestedMethod, knownMethods, availableMethod } from "./methods";

/** A screen on which something is confirmed. */
interface ProofToLoad {
  readonly path: string;
  readonly flow: CodeFlow<ProofMemory>;
  /** The flow's memory; given if it may belong to another screen. */
  readonly memory?: ProofMemory | undefined;
  /** The methods to offer, the preferred one first. Default: the flow's, or else the account's. */
  readonly methods?: readonly Method[];
  /** Whether to show the factor's field. Default: if the flow has a method. */
  readonly isBegun?: boolean;
  /** The masked number that a code will go to; by default the customer's. */
  readonly phone?: () => Promise<string | undefined>;
  /** Requests a challenge for a passkey; no message is sent. */
  readonly ask: () => Promise<CallOutcome<PasskeyChallenge>>;
  /** Added to the flow's memory when it starts again because the account no longer has a passkey. */
  readonly lost?: object;
}

/** Loads the data of a proof screen. The method is the one in the query, else the flow's, else the first. */
export async function loadProof(visit: Visit, screen: ProofToLoad): Promise<Proof> {
  const { path, flow, phone = () => ownPhone(visit) } = screen;
  const memory = "memory" in screen ? screen.memory : visit.flow(flow);
  const { methods = await methodsToConfirm(visit, memory), isBegun = memory?.method !== undefined } = screen;
  const requested = await requestedMethod(visit);
  const offered = (name: string | undefined) => methods.find((one) => one === name);
  const method = offered(requested) ?? offered(memory?.method) ?? methods[0] ?? "sms";
  const isCodeToCome = method === "sms" && memory?.codeSentAt === undefined;
  return {
    path,
    method,
    methods,
    isBegun,
    code: { ...sentCodeOf(memory), ...(isCodeToCome && { phone: await phone() }) },
    question:
      memory && isBegun && method === "passkey" ? await questionFor(visit, screen, memory) : undefined,
  };
}

/** The passkey challenge that the flow remembers, or else a new one. HEAD requests none. */
async function questionFor(
  visit: Visit,
  { path, flow, ask, lost }: ProofToLoad,
  memory: ProofMemory,
): Promise<PasskeyQuestion> {
  if (visit.request.method === "HEAD") return {};
  if (memory.method === "passkey" && isChallengeValid(visit, memory)) return { options: memory.options };
  const begun = await ask();
  if (begun.kind === "done") {
    const { options } = begun.value;
    await visit.remember(flow, { ...memory, method: "passkey", ...challengeMemory(options) });
    return { options };
  }
  if (isWait(begun)) return { wait: waitText(visit.t, begun) };
  if (begun.kind !== "invalid") return {};
  await visit.remember(flow, { ...memory, ...NOT_BEGUN, ...lost });
  throw visit.redirectTo(path);
}

/** The data of a proof screen with SMS as its only method. */
export function smsProof(path: string, flow: SentCode | undefined): Proof {
  return { path, method: "sms", methods: ["sms"], isBegun: true, code: sentCodeOf(flow) };
}

/** The part of a flow's memory that pages show about the code. */
export function sentCodeOf(flow: SentCode = { resent: false }): SentCode {
  const { codeSentAt, resent, pressed, sentTo } = flow;
  return { codeSentAt, resent, pressed, sentTo };
}

/** The masked number of the customer in session, if the backend says it. */
export async function ownPhone({ backend }: Visit): Promise<string | undefined> {
  const profile = await backend.call("profile", {});
  return profile.kind === "done" ? profile.value.phone : undefined;
}

/** The keys of the texts of such a screen: why it asks for something, and the lead if it isn't about an SMS. */
export function askingTexts({ method }: Proof) {
  return method === "sms"
    ? ({ reason: "common:code.reason" } as const)
    : ({ reason: "factors:proof.reason", lead: "factors:proof.lead" } as const);
}

/** Resets the method of a flow that starts again. */
const NOT_BEGUN = {
  methods: undefined,
  method: undefined,
  options: undefined,
  codeSentAt: undefined,
  resent: false,
};

/** The methods for a change (except of factors): those in the flow, or else the account's. */
async function methodsToConfirm(visit: Visit, flow: ProofMemory | undefined): Promise<readonly Method[]> {
  if (flow?.methods) return knownMethods(flow.methods);
  // A code was sent, and the backend named no methods.
  if (flow?.codeSentAt !== undefined) return ["sms"];
  const list = await visit.backend.call("factors", {});
  if (list.kind !== "done") return ["sms"];
  const methods = methodsIn(list.value);
  // A recovery code has opened the session, so app and passkey are lost.
  return list.value.withoutProofUntil === undefined ? methods : [...methods].reverse();
}

/** The methods of an account, from the list of its factors. */
export function methodsIn({ factors, sms, recoveryCode }: CallResponse<"factors">): readonly Method[] {
  const has = (kind: string) => factors.some((factor) => factor.kind === kind);
  const usable: Record<Method, boolean> = {
    app: has("app"),
    passkey: has("passkey"),
    recovery: factors.length > 0 && recoveryCode !== null,
    sms,
  };
  return METHODS.filter((method) => usable[method]);
}

/** Where a change leads, and the notice of the next screen. */
interface Done {
  readonly to: `/cp${string}`;
  readonly notice?: Notice | undefined;
}

/** A screen that confirms a change by any of the account's methods, and the effects of its buttons. */
interface ProofStep<Field extends string> extends Pick<
  ConfirmStep<Field, { recoveryCode?: string | undefined }>,
  "here" | "forms" | "remember" | "confirm" | "advise" | "origin"
> {
  readonly flow: CodeFlow<ProofMemory>;
  readonly send: (by: { resend?: true; method?: Method }) => Promise<CallOutcome<Begun>>;
  readonly done: (weakness: Weakness | undefined) => Done;
  readonly back: string;
}

/** Answers the form of a screen that confirms a change (docs/screens.md, "Screens"). */
export async function answerProof<Field extends string>(
  visit: Visit,
  { send, done, back, ...step }: ProofStep<Field>,
) {
  const { here, flow, remember } = step;
  const begun = visit.flow(flow);
  const methods = knownMethods(begun?.methods);
  const requested = await requestedMethod(visit);
  return answerConfirm(visit, {
    ...step,
    method: availableMethod(requested, methods),
    withoutSms: begun?.methods !== undefined && !methods.includes("sms"),
    send: async (resend) => {
      const sent = await send({ ...resend, ...(requested && { method: requested }) });
      // The page's method is gone, so the backend chooses another one.
      return isMethodGone(sent) ? send({}) : sent;
    },
    startAgain: async (posted) => {
      await remember(posted, { resent: false });
      return visit.redirectTo(here);
    },
    done: ({ recoveryCode }, _values, weakness) => leave(visit, done(weakness), recoveryCode),
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(back);
    },
  });
}

/** Redirects after a change; if a recovery code has confirmed it, the new code is shown first. */
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
