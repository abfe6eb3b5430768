import type { CallById, CallRequest, CallResponse } from "~/contract/calls.server";
import type { Answer } from "~/contract/refusal.server";
import { text } from "~/contract/rules/field-rules";
import { problem } from "~/shell/problem";
import { type Visit, valueToShow } from "~/visit/visit.server";

/** Whether a text can be an id: it meets the rules for texts, and stays one segment of a path. */
export function isId(id: string): boolean {
  return text(id) === undefined && !/^\.\.?$/.test(id);
}

/** The answer about one thing by its id; undefined if it doesn't exist or isn't the customer's own. */
export async function askForOne<Name extends CallById>(
  visit: Visit,
  name: Name,
  id: string,
): Promise<Answer<CallResponse<Name>> | undefined> {
  if (!isId(id)) return undefined;
  const answer = await visit.backend.call<Name>(name, { id } as CallRequest<Name>);
  // A backend may have its own rules for ids.
  return answer.kind === "not-found" || answer.kind === "invalid" ? undefined : answer;
}

/** Loads one thing by its id. Throws a 404 page if it doesn't exist or isn't the customer's own. */
export async function loadOrNotFound<Name extends CallById>(
  visit: Visit,
  name: Name,
  id: string,
): Promise<CallResponse<Name>> {
  const answer = await askForOne(visit, name, id);
  if (answer === undefined) throw problem(404);
  return valueToShow(visit, answer);
}
