import type { RequestOptions } from "~/contract/factors.server";
import type { FormRefusal } from "~/contract/refusal.server";
import type { RuleRefusal } from "~/forms/show-refusal.server";
import type { Visit } from "~/visit/visit.server";

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

/** Whether a device may still answer the question that a flow remembers: a reload and another tab show it again. */
export function stillStands({ context }: Visit, { options, askedAt = 0 }: AskedPasskey): boolean {
  return options !== undefined && context.incoming.challengeUsed !== true && isTimeLeft(askedAt, options);
}

/** Whether a device can still answer a question in time. @param askedAt ms since 1970 */
export function isTimeLeft(
  askedAt: number,
  options: { readonly timeout?: number | undefined } = {},
): boolean {
  return Date.now() < askedAt + (options.timeout ?? USUAL_TIMEOUT_MS) - TIME_TO_ANSWER_MS;
}

/** A passkey's answer from a posted form, whose rule has checked that it is JSON. */
export function passkeyAnswerIn(response: string): never {
  // The backend checks it like anything that comes from a browser.
  return JSON.parse(response) as never;
}

/**
 * Turns a wrong answer into a refused field, and a late answer into a broken rule, because the catalogue's texts for 007
 * and 010 mention a code. The challenge is used up, so the next page gets a new one.
 */
export function passkeyRefusal({ context }: Visit, refused: FormRefusal): FormRefusal | RuleRefusal {
  context.incoming.challengeUsed = true;
  if (refused.kind !== "refused") return refused;
  if (refused.errorCode === "007") return { kind: "invalid", fields: ["response"] };
  if (refused.errorCode !== "010") return refused;
  return { kind: "rules-broken", broken: { response: { key: "passkey.late" } } };
}
