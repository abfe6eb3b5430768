import type { CallById, CallRequest, CallResponse } from "~/contract/calls.server";
import { text } from "~/contract/rules/field-rules";
import { problem } from "~/shell/problem";
import { type Visit, valueToShow } from "~/visit/visit.server";

/** Whether a text can be an id: it meets the rules for texts, and stays one segment of a path. */
export function isId(id: string): boolean {
  return text(id) === undefined && !/^\.\.?$/.test(id);
}

/** Loads one thing by its id. Throws a 404 page if it doesn't exist or isn't the customer's own. */
export async function loadOrNotFound<Name extends CallById>(
  visit: Visit,
  name: Name,
  id: string,
): Promise<CallResponse<Name>> {
  if (!isId(id)) throw problem(404);
  const answer = await visit.backend.call<Name>(name, { id } as CallRequest<Name>);
  // A backend may have its own rules for ids.
  if (answer.kind === "not-found" || answer.kind === "invalid") throw problem(404);
  return valueToShow(visit, answer);
}
