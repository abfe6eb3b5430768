import type { RequestOptions } from "~/contract/factors.server";
import type { FormRefusal } from "~/contract/refusal.server";
import type { RuleRefusal } from "~/forms/show-refusal.server";
import type { Visit } from "~/visit/visit.server";

/** The page's challenge for a passkey, or why it has none now. */
export interface PasskeyQuestion {
  readonly options?: RequestOptions | undefined;
  readonly wait?: string | undefined;
}

/** A flow's memory of a challenge, and when it was requested (ms since 1970). */
export interface PasskeyChallenge {
  readonly options?: RequestOptions | undefined;
  readonly askedAt?: number | undefined;
}

/** Larger options aren't remembered but requested again: the flow has to fit into a cookie. */
const MOST_OPTIONS = 2048;
/** A challenge that expires sooner than this is requested again (ms). */
const TIME_TO_ANSWER_MS = 60_000;
const USUAL_TIMEOUT_MS = 300_000;

/** The flow's memory of a challenge; empty if its options are too large. */
export function challengeMemory(options: RequestOptions | undefined): PasskeyChallenge {
  if (!options || JSON.stringify(options).length > MOST_OPTIONS) return {};
  return { options, askedAt: Date.now() };
}

/** Whether the flow's challenge is still valid, so that a reload or another tab reuses it. */
export function isChallengeValid({ context }: Visit, { options, askedAt = 0 }: PasskeyChallenge): boolean {
  return options !== undefined && context.incoming.challengeUsed !== true && isTimeLeft(askedAt, options);
}

/** Whether a device still has time to answer a challenge. @param askedAt ms since 1970 */
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
