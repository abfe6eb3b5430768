import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { isWait } from "~/contract/refusal.server";
import { waitResponse } from "./redirect.server";
import type { Visit } from "./visit.server";

/** Loads what a signed-in screen shows. Failures redirect, as for any call (specification §8, HTTP). */
export async function loadFromBackend<Name extends "policies" | "profile">(
  visit: Visit,
  name: Name,
): Promise<CallResponse<Name>> {
  const answer = await visit.call<Name>(name, {} as CallRequest<Name>);
  if (answer.kind === "done") return answer.value;
  if (isWait(answer)) throw waitResponse(visit.t, answer);
  // A screen without a form has no way to show a catalogue refusal.
  throw await visit.toErrorPage();
}
