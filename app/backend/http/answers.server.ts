import { encodeRefusal } from "~/contract/refusal.server";
import type { Outcome } from "../outcome.server";
import type { Reply } from "./replies.server";

/** A JSON answer, or an empty one. No answer may be cached on the way (S55). */
export function answer(
  status: number,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const always = { "Cache-Control": "no-store", ...headers };
  if (body === undefined) return new Response(null, { status, headers: always });
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...always, "Content-Type": "application/json" },
  });
}

/** The response that the backend contract prescribes for an outcome. */
export function answerTo(outcome: Outcome<Reply>): Response {
  if (outcome.kind === "done") {
    const { body } = outcome.value;
    return answer(body === undefined ? 204 : 200, body);
  }
  const { status, body, headers } = encodeRefusal(outcome);
  return answer(status, body, headers);
}
