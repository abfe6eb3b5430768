import { pdfHeaders, type PdfFile } from "~/contract/pdf-file.server";
import { encodeRefusal } from "~/contract/refusal.server";
import type { Outcome } from "../outcome.server";
import { isFileReply, type Reply } from "./replies.server";

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

function fileAnswer(file: PdfFile): Response {
  return new Response(file.body, { headers: { "Cache-Control": "no-store", ...pdfHeaders(file) } });
}

/** The response that the backend contract prescribes for an outcome. */
export function answerTo(outcome: Outcome<Reply>): Response {
  if (outcome.kind === "done") {
    const { value } = outcome;
    if (isFileReply(value)) return fileAnswer(value.body);
    return answer(value.body === undefined ? 204 : 200, value.body);
  }
  const { status, body, headers } = encodeRefusal(outcome);
  return answer(status, body, headers);
}
