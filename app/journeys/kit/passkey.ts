import type { RequestOptions } from "~/contract/factors.server";
import { isWait } from "~/contract/refusal.server";
import type { RuleRefusal } from "~/forms/show-refusal.server";
import { waitText } from "~/i18n/wait-text.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";

/** The page's question for a passkey, or the reason why it can't ask now. */
export interface PasskeyQuestion {
  readonly options?: RequestOptions | undefined;
  readonly wait?: string | undefined;
}

/** A flow's memory of a question, and when it was asked (ms since 1970). */
export interface AskedPasskey {
  readonly options?: RequestOptions | undefined;
  readonly askedAt?: number | undefined;
}

/** Larger options aren't remembered but requested again: the flow has to fit into a cookie. */
const MOST_OPTIONS = 2048;
/** A question that ends sooner than this is asked again (ms). */
const TIME_TO_ANSWER_MS = 60_000;
const USUAL_TIMEOUT_MS = 300_000;

/** The part of options that a flow remembers: nothing if they are too large. */
export function askedMemory(options: RequestOptions | undefined): AskedPasskey {
  if (!options || JSON.stringify(options).length > MOST_OPTIONS) return {};
  return { options, askedAt: Date.now() };
}

interface Asking {
  /** The flow's memory; undefined if it doesn't wait for a passkey. */
  readonly asked: AskedPasskey | undefined;
  /** Draws a challenge, and sends nothing. */
  readonly ask: () => Promise<CallOutcome<{ readonly options?: RequestOptions | undefined }>>;
  readonly remember: (asked: AskedPasskey) => Promise<void>;
}

/**
 * The question for a passkey: the one that the flow remembers, so that a reload and another tab show it, or else a new
 * challenge. HEAD draws none. "gone": the account no longer has a passkey.
 */
export async function askPasskey(
  visit: Visit,
  { asked, ask, remember }: Asking,
): Promise<PasskeyQuestion | "gone"> {
  if (visit.request.method === "HEAD") return {};
  if (asked?.options && stillStands(visit, asked)) return { options: asked.options };
  const begun = await ask();
  if (begun.kind === "done") {
    const { options } = begun.value;
    await remember(askedMemory(options));
    return { options };
  }
  if (isWait(begun)) return { wait: waitText(visit.t, begun) };
  return begun.kind === "invalid" ? "gone" : {};
}

function stillStands({ context }: Visit, { options, askedAt = 0 }: AskedPasskey): boolean {
  return context.incoming.challengeUsed !== true && isTimeLeft(askedAt, options);
}

/** Whether a device can still answer a question in time. @param askedAt ms since 1970 */
export function isTimeLeft(
  askedAt: number,
  options: { readonly timeout?: number | undefined } = {},
): boolean {
  return Date.now() < askedAt + (options.timeout ?? USUAL_TIMEOUT_MS) - TIME_TO_ANSWER_MS;
}

/** A passkey's answer, as a form has sent it; its rule has seen that it is JSON. */
export function passkeyAnswerIn(response: string): never {
  // The backend checks it like anything that comes from a browser.
  return JSON.parse(response) as never;
}

/**
 * A wrong answer as a refused field, whose text its form names, and a late one as a broken rule: the catalogue's words
 * for 007 and 010 speak of a code. The page's challenge is used up, so the next page gets a new one.
 */
export function withPasskeyWords<Value>(
  { context }: Visit,
  outcome: CallOutcome<Value>,
): CallOutcome<Value> | RuleRefusal {
  if (outcome.kind === "done") return outcome;
  context.incoming.challengeUsed = true;
  if (outcome.kind !== "refused") return outcome;
  if (outcome.errorCode === "007") return { kind: "invalid", fields: ["response"] };
  if (outcome.errorCode !== "010") return outcome;
  return { kind: "rules-broken", broken: { response: { key: "passkey.late" } } };
}
