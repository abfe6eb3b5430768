import type { LoaderFunctionArgs } from "@remix-run/node";
import { create as dispositionOf } from "content-disposition";
import type { CallById, CallRequest, CallResponse } from "~/contract/calls.server";
import { type Answer, isWait } from "~/contract/refusal.server";
import { text } from "~/contract/rules/field-rules";
import type { Translate } from "~/i18n/texts.server";
import { problem } from "~/shell/problem";
import { problemResponse, waitingResponse } from "~/shell/static-page.server";
import { signedIn } from "~/visit/gate.server";
import { type Visit, valueToShow } from "~/visit/visit.server";

/** Whether a text can be an id: it meets the rules for texts, and stays one segment of a path. */
export function isId(id: string): boolean {
  return text(id) === undefined && !/^\.\.?$/.test(id);
}

/** The answer about one thing by its id; undefined if it doesn't exist or isn't the customer's own. */
async function askForOne<Name extends CallById>(
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

interface PolicyFile {
  readonly name: string;
  readonly type: string;
  readonly body: string | Buffer<ArrayBuffer>;
}

/** Answers with a file about a policy; 404 if there is none. Refusals are pages (contract: customer area). */
export async function answerFile(
  args: LoaderFunctionArgs,
  make: (t: Translate, policy: CallResponse<"policy">) => PolicyFile | undefined | "",
): Promise<Response> {
  const { visit } = await signedIn(args);
  const answer = await askForOne(visit, "policy", args.params["id"] ?? "");
  if (answer === undefined) return problemResponse(args, 404);
  const policy = await visit.redirectOnFailure(answer);
  if (isWait(policy)) return waitingResponse(args, visit.t, policy);
  if (policy.kind !== "done") throw await visit.toErrorPage();
  const file = make(visit.t, policy.value);
  if (!file) return problemResponse(args, 404);
  const disposition = dispositionOf(file.name, { type: "attachment" });
  return new Response(file.body, {
    headers: { "content-type": file.type, "content-disposition": disposition },
  });
}
