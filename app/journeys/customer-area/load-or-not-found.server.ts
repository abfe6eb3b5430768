import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { text } from "~/forms/rules/field-rules";
import { problem } from "~/shell/problem.server";
import { valueToShow } from "~/visit/load-from-backend.server";
import type { Visit } from "~/visit/visit.server";

/** Whether a text can name anything: it keeps the rules of texts, and stays one part of a path. */
export function isId(id: string): boolean {
  return text(id) === undefined && !/^\.\.?$/.test(id);
}

/** Loads one thing by its id. What isn't there, or isn't the customer's own, is a page that doesn't exist. */
export async function loadOrNotFound<Name extends "policy">(
  visit: Visit,
  name: Name,
  id: string,
): Promise<CallResponse<Name>> {
  if (!isId(id)) throw await problem(visit, 404);
  const answer = await visit.backend.call<Name>(name, { id } as CallRequest<Name>);
  // A backend may have rules of its own for ids.
  if (answer.kind === "not-found" || answer.kind === "invalid") throw await problem(visit, 404);
  return valueToShow(visit, answer);
}
