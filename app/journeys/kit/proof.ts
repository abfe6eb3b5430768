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

/** A screen on which a customer confirms a change by a code or another method (a proof screen), and its flow. */
interface ProofToLoad {
  readonly path: string;
  readonly flow: CodeFlow<ProofMemory>;
  /** The flow's memory for this screen. Give it (even undefined) if the stored memory may be another screen's. */
  readonly memory?: ProofMemory | undefined;
  /** The methods to offer, the preferred method first. Default: those in the flow's memory, or else the account's. */
  readonly methods?: readonly Method[];
  /** Whether to show the field for the code or passkey. Default: if the flow's memory has a method. */
  readonly isBegun?: boolean;
  /** Reads the masked number that a code will go to. Default: the customer's number. */
  readonly phone?: () => Promise<string | undefined>;
  /** Requests a passkey challenge from the backend, which sends no message for it. */
  readonly ask: () => Promise<CallOutcome<PasskeyChallenge>>;
  /** Added to the flow's memory if the flow starts again because the account no longer has a passkey. */
  readonly lost?: object;
}

/** Loads the data of a proof screen. The method is from the query, else from the flow's memory, else the first offered. */
export async function loadProof(visit: Visit, screen: ProofToLoad): Promise<Proof> {
  const { path, flow, phone = () => ownPhone(visit) } = screen;
  const memory = "memory" in screen ? screen.memory : visit.flow(flow);
  const { methods = await methodsToConfirm(visit, memory), isBegun = memory?.method !== undefined } = screen;
  const requested = await requestedMethod(visit);
  const offered = (name: string | undefined) => methods.find((method) => method === name);
  const method = offered(requested) ?? offered(memory?.method) ?? methods[0] ?? "sms";
  const isCodeToCome = method === "sms" && memory?.codeSentAt === undefined;
  return {
    path,
    method,
    methods,
    isBegun,
    code: { ...sentCodeOf(memory), ...(isCodeToCome && { phone: await phone() }) },
    question:
      memory && isBegun && method === "passkey" ? await challengeFor(visit, screen, memory) : undefined,
  };
}

/** The passkey challenge in the flow's memory, or else a new challenge. A HEAD request needs no challenge. */
async function challengeFor(
  visit: Visit,
  { path, flow, ask, lost }: ProofToLoad,
  memory: ProofMemory,
): Promise<PasskeyQuestion> {
  if (visit.request.method === "HEAD") return {};
  if (memory.method === "passkey" && isChallengeValid(visit, memory)) return { options: memory.options };
  const challenge = await ask();
  if (challenge.kind === "done") {
    const { options } = challenge.value;
    await visit.remember(flow, { ...memory, method: "passkey", ...challengeMemory(options) });
    return { options };
  }
  if (isWait(challenge)) return { wait: waitText(visit.t, challenge) };
  // `invalid`: the account no longer has a passkey.
  if (challenge.kind !== "invalid") return {};
  await visit.remember(flow, { ...memory, ...RESET_MEMORY, ...lost });
  throw visit.redirectTo(path);
}

/** The data of a proof screen with SMS as its only method. */
export function smsProof(path: string, flow: SentCode | undefined): Proof {
  return { path, method: "sms", methods: ["sms"], isBegun: true, code: sentCodeOf(flow) };
}

/** The part of a flow's memory that pages show about the code. */
function sentCodeOf(flow: SentCode = { resent: false }): SentCode {
  const { codeSentAt, resent, pressed, sentTo } = flow;
  return { codeSentAt, resent, pressed, sentTo };
}

/** The masked phone number of the signed-in customer, if the profile has it. */
async function ownPhone({ backend }: Visit): Promise<string | undefined> {
  const profile = await backend.call("profile", {});
  return profile.kind === "done" ? profile.value.phone : undefined;
}

/** The keys of a proof screen's texts: the reason for asking, and, for methods other than SMS, another lead. */
export function askingTexts({ method }: Proof) {
  return method === "sms"
    ? ({ reason: "common:code.reason" } as const)
    : ({ reason: "factors:proof.reason", lead: "factors:proof.lead" } as const);
}

/** The part of a flow's memory that is reset when the flow starts again. */
const RESET_MEMORY = {
  methods: undefined,
  method: undefined,
  options: undefined,
  codeSentAt: undefined,
  resent: false,
};

/** The methods for a change (except a change of factors): from the flow's memory, or else the account's. */
async function methodsToConfirm(visit: Visit, memory: ProofMemory | undefined): Promise<readonly Method[]> {
  if (memory?.methods) return knownMethods(memory.methods);
  // The backend sent a code and named no methods: the account has only SMS.
  if (memory?.codeSentAt !== undefined) return ["sms"];
  const factors = await visit.backend.call("factors", {});
  if (factors.kind !== "done") return ["sms"];
  const methods = methodsIn(factors.value);
  // A recovery code has opened the session, so the customer has probably lost app and passkey: offer these last.
  return factors.value.withoutProofUntil === undefined ? methods : [...methods].reverse();
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

/** The screen after a change, and its notice. */
interface NextScreen {
  readonly to: `/cp${string}`;
  readonly notice?: Notice | undefined;
}

/** A proof screen that offers all of the account's methods, and the effects of its buttons. */
interface ProofStep<Field extends string> extends Pick<
  ConfirmStep<Field, { recoveryCode?: string | undefined }>,
  "here" | "forms" | "remember" | "confirm" | "advise" | "origin"
> {
  readonly flow: CodeFlow<ProofMemory>;
  readonly send: (by: { resend?: true; method?: Method }) => Promise<CallOutcome<Begun>>;
  readonly done: (weakness: Weakness | undefined) => NextScreen;
  readonly back: string;
}

/** Answers the form of a proof screen (docs/screens.md, "Screens"). */
export async function answerProof<Field extends string>(
  visit: Visit,
  { send, done, back, ...step }: ProofStep<Field>,
) {
  const { here, flow, remember } = step;
  const memory = visit.flow(flow);
  const methods = knownMethods(memory?.methods);
  const requested = await requestedMethod(visit);
  return answerConfirm(visit, {
    ...step,
    method: availableMethod(requested, methods),
    withoutSms: memory?.methods !== undefined && !methods.includes("sms"),
    send: async (resend) => {
      const sent = await send({ ...resend, ...(requested && { method: requested }) });
      // The account no longer has the page's method: the backend chooses another method.
      return isMethodGone(sent) ? send({}) : sent;
    },
    startAgain: async (posted) => {
      await remember(posted, { resent: false });
      return visit.redirectTo(here);
    },
    done: ({ recoveryCode }, _values, weakness) => redirectAfterChange(visit, done(weakness), recoveryCode),
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(back);
    },
  });
}

/** Redirects after a change. If a recovery code confirmed the change, the next screen shows the new recovery code. */
async function redirectAfterChange(
  visit: Visit,
  { to, notice }: NextScreen,
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
