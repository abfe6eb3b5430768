import { data } from "@remix-run/node";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { isWait } from "~/contract/refusal.server";
import { waitResponse } from "./redirect.server";
import type { Visit } from "./visit.server";

/** What a signed-in screen shows, asked of the backend. Failures lead elsewhere, as everywhere (specification §8, HTTP). */
export async function loadFromBackend<Name extends "policies" | "profile">(
  visit: Visit,
  name: Name,
): Promise<CallResponse<Name>> {
  const answer = await visit.call<Name>(name, {} as CallRequest<Name>);
  if (answer.kind === "done") return answer.value;
  if (isWait(answer)) throw waitResponse(answer);
  // A catalogue refusal of a question is nothing that a screen could show.
  throw data(null, { status: 500 });
}
