import type { Answer } from "~/contract/answer";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { isWait } from "~/contract/refusal.server";
import { waitResponse } from "./redirect.server";
import type { Visit } from "./visit.server";

/** Loads what a signed-in screen shows. Failures redirect, as for any call (specification §8, HTTP). */
export async function loadFromBackend<Name extends "policies" | "profile">(
  visit: Visit,
  name: Name,
): Promise<CallResponse<Name>> {
  return valueToShow(visit, await visit.backend.call<Name>(name, {} as CallRequest<Name>));
}

/** Like `loadFromBackend`, for an answer already received. One failure among parallel calls is enough to redirect. */
export async function valueToShow<Value>(visit: Visit, answer: Answer<Value>): Promise<Value> {
  const outcome = await visit.redirectOnFailure(answer);
  if (outcome.kind === "done") return outcome.value;
  if (isWait(outcome)) throw waitResponse(visit.t, outcome);
  // A screen without a form has no way to show a catalogue refusal.
  throw await visit.toErrorPage();
}

/** The value of an optional call; undefined if the backend doesn't offer it, "unavailable" if it failed just now. */
type Offered<Value> = Value | "unavailable" | undefined;

/**
 * Like `valueToShow`, for an optional call (contract: customer area). The screen is shown without it, too, unless the
 * answer is about the session or the account.
 */
export async function valueIfOffered<Value>(visit: Visit, answer: Answer<Value>): Promise<Offered<Value>> {
  if (answer.kind === "not-found") return undefined;
  if (answer.kind === "failed") return "unavailable";
  const outcome = await visit.redirectOnFailure(answer);
  return outcome.kind === "done" ? outcome.value : "unavailable";
}

/** Puts a value into words for the screen, if there is one. */
export function ifThere<Value extends object, Words>(
  offered: Offered<Value>,
  inWords: (value: Value) => Words,
): Offered<Words> {
  return typeof offered === "object" ? inWords(offered) : offered;
}
