import type { RefusalBody } from "~/contract/errors";
import type { Outcome, Rejection } from "../outcome.server";
import type { Reply } from "./replies.server";

/** Seconds after which who met too much work may come again (backend contract). */
const BUSY_SECONDS = 2;

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

/** The answer of the backend contract to what came of a call. */
export function answerTo(outcome: Outcome<Reply>): Response {
  if (outcome.kind !== "done") return refusalAnswer(outcome);
  const { body } = outcome.value;
  return answer(body === undefined ? 204 : 200, body);
}

function refusalAnswer(refusal: Rejection): Response {
  switch (refusal.kind) {
    case "refused":
      return refuse(400, refusal.code, refusal.retryAfterSeconds);
    case "signed-out":
      return answer(401, {});
    case "not-activated":
      return answer(409, {});
    case "invalid":
      return answer(422, { errorCode: "invalid", fields: refusal.fields } satisfies RefusalBody);
    case "rate-limited":
      return refuse(429, "rate-limited", refusal.retryAfterSeconds, true);
    case "busy":
      return refuse(503, "busy", BUSY_SECONDS, true);
  }
}

function refuse(status: number, errorCode: string, retryAfterSeconds?: number, inHeader = false): Response {
  const body: RefusalBody = { errorCode, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return answer(status, body, inHeader ? { "Retry-After": String(retryAfterSeconds) } : {});
}
