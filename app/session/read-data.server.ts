import { data } from "@remix-run/node";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { backendFor } from "./backend.server";
import { settle } from "./gate.server";

/** What a signed-in screen shows, asked of the backend. Failures lead elsewhere, as everywhere (specification §8, HTTP). */
export async function readData<Name extends "policies" | "profile">(
  request: Request,
  name: Name,
): Promise<CallResponse<Name>> {
  const answer = await settle(request, await backendFor(request).call<Name>(name, {} as CallRequest<Name>));
  if (answer.kind === "done") return answer.value;
  if (answer.kind === "wait") {
    throw data(null, { status: answer.status, headers: { "Retry-After": String(answer.retryAfterSeconds) } });
  }
  // A catalogue refusal of a question is nothing that a screen could show.
  throw data(null, { status: 500 });
}
