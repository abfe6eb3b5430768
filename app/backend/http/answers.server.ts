import { encodeRefusal } from "~/contract/refusal.server";
import type { Outcome } from "../outcome.server";
import type { Reply } from "./replies.server";

/** An answer in JSON, or an empty one. Nothing that the backend says is ever stored on the way (S55). */
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

/** The response that the backend contract has for the outcome of a call. */
export function answerTo(outcome: Outcome<Reply>): Response {
  if (outcome.kind === "done") {
    const { body } = outcome.value;
    return answer(body === undefined ? 204 : 200, body);
  }
  const { status, body, headers } = encodeRefusal(outcome);
  return answer(status, body, headers);
}
