import { METHODS, type Method } from "~/contract/factors.server";
import type { CallResponse } from "~/contract/calls.server";
import { isWait } from "~/contract/refusal.server";
import type { Weakness } from "~/contract/rules/weak-password";
import type { OpenForm } from "~/forms/open-form.server";
import { waitText } from "~/i18n/wait-text.server";
import type { CodeFlow, Notice, SentCode } from "~/visit/flow.server";
import type { Redirect } from "~/visit/browser.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import { factorChange } from "./flows";
import { type AskedPasskey, askedMemory, type PasskeyQuestion, stillStands } from "./passkey";
import type { Proof } from "./proof-screen";
import { answerConfirm, type Begun, type ConfirmStep, isMethodGone } from "./steps";
import { askedWay, knownWays, shownPasskey } from "./ways";

/** A flow's memory of how it is confirmed. */
export interface WayMemory extends SentCode, AskedPasskey {
  readonly methods?: readonly string[] | undefined;
  readonly method?: string | undefined;
}

/** A screen on which something is confirmed. */
interface ProofToLoad<Kept extends object> {
  readonly path: string;
  readonly flow: CodeFlow<Kept & WayMemory>;
  /** The flow's memory; given if it may belong to another screen. */
  readonly memory?: (Kept & WayMemory) | undefined;
  /** The account's ways, the first one first. By default, those that the flow remembers, or else the account's. */
  readonly ways?: readonly Method[];
  /** It was begun, so that the field of a factor is shown. By default, if the flow has a method. */
  readonly isBegun?: boolean;
  /** The masked number that a code will go to; by default the customer's. */
  readonly phone?: () => Promise<string | undefined>;
  /** Draws a challenge for a passkey, and sends nothing. */
  readonly ask: () => Promise<CallOutcome<AskedPasskey>>;
  /** The flow's memory of having begun again, because the account no longer has a passkey. */
  readonly lost?: Partial<Kept>;
}

/**
 * Loads the facts of a screen that confirms something: the way that the address names, else the one in use, else the
 * first.
 */
export async function loadProof<Kept extends object>(
  visit: Visit,
  screen: ProofToLoad<Kept>,
): Promise<Proof> {
  const { path, flow, phone = () => ownPhone(visit) } = screen;
  const memory = "memory" in screen ? screen.memory : visit.flow(flow);
  const { ways = await waysToConfirm(visit, memory), isBegun = memory?.method !== undefined } = screen;
  const asked = await askedWay(visit);
  const used = (name: string | undefined) => ways.find((way) => way === name);
  const method = used(asked) ?? used(memory?.method) ?? ways[0] ?? "sms";
  const isCodeToCome = method === "sms" && memory?.codeSentAt === undefined;
  return {
    path,
    method,
    ways,
    isBegun,
    code: { ...sentCodeOf(memory), ...(isCodeToCome && { phone: await phone() }) },
    question:
      memory && isBegun && method === "passkey" ? await questionFor(visit, screen, memory) : undefined,
  };
}

/** The question for a passkey: the one that the flow remembers, or else a new challenge. HEAD draws none. */
async function questionFor<Kept extends object>(
  visit: Visit,
  { path, flow, ask, lost }: ProofToLoad<Kept>,
  memory: Kept & WayMemory,
): Promise<PasskeyQuestion> {
  if (visit.request.method === "HEAD") return {};
  if (memory.method === "passkey" && stillStands(visit, memory)) return { options: memory.options };
  const begun = await ask();
  if (begun.kind === "done") {
    const { options } = begun.value;
    await visit.remember(flow, { ...memory, method: "passkey", ...askedMemory(options) });
    return { options };
  }
  if (isWait(begun)) return { wait: waitText(visit.t, begun) };
  if (begun.kind !== "invalid") return {};
  await visit.remember(flow, { ...memory, ...NOT_BEGUN, ...lost });
  throw visit.redirectTo(path);
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

/** Where a change leads, and the notice of the next screen. */
interface Done {
  readonly to: `/cp${string}`;
  readonly notice?: Notice | undefined;
}

/** A screen that confirms a change in any of the account's ways, and the effects of its buttons. */
interface ProvenStep<Field extends string, Kept extends object> extends Pick<
  ConfirmStep<Field, Kept, { recoveryCode?: string | undefined }>,
  "here" | "forms" | "confirm" | "advise" | "origin"
> {
  readonly flow: CodeFlow<Kept & WayMemory>;
  /** The flow's memory, besides the code and the way. */
  readonly remember: (posted: OpenForm<string>["posted"]) => NoInfer<Kept>;
  readonly send: (by: { resend?: true; method?: Method }) => Promise<CallOutcome<Begun>>;
  readonly done: (weakness: Weakness | undefined) => Done;
  readonly back: string;
}

/** Answers the form of a screen that confirms a change (docs/screens.md, "Screens"). */
export async function answerProof<Field extends string, Kept extends object>(
  visit: Visit,
  { send, done, back, ...step }: ProvenStep<Field, Kept>,
) {
  const { here, flow, remember } = step;
  const begun = visit.flow(flow);
  const ways = knownWays(begun?.methods);
  const asked = await askedWay(visit);
  return answerConfirm(visit, {
    ...step,
    method: shownPasskey(asked, ways),
    withoutSms: begun?.methods !== undefined && !ways.includes("sms"),
    send: async (resend) => {
      const sent = await send({ ...resend, ...(asked && { method: asked }) });
      // The way that the page offered is gone: the backend names one that is left.
      return isMethodGone(sent) ? send({}) : sent;
    },
    startAgain: async (posted) => {
      await visit.remember(flow, { ...remember(posted), resent: false });
      return visit.redirectTo(here);
    },
    done: ({ recoveryCode }, _values, weakness) => leave(visit, done(weakness), recoveryCode),
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(back);
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
