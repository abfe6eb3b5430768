import type { AnswerMessage, MessageHeaders } from "~/contract/messages.server";
import { pdfHeaders, type PdfFile } from "~/contract/pdf-file.server";
import { encodeRefusal } from "~/contract/refusal.server";
import type { Outcome } from "../outcome.server";
import { isFileReply, type Reply } from "./replies.server";

/** A JSON answer, or an empty one. No answer may be cached on the way (S55). */
export function answer(
  status: number,
  body: object | undefined,
  headers: MessageHeaders = {},
): AnswerMessage {
  const always = { ...NOT_STORED, ...headers, ...(body && { "content-type": "application/json" }) };
  return { status, headers: always, setCookies: [], body: body ? JSON.stringify(body) : "" };
}

function fileAnswer(file: PdfFile): AnswerMessage {
  return { status: 200, headers: { ...NOT_STORED, ...pdfHeaders(file) }, setCookies: [], body: file.body };
}

const NOT_STORED = { "cache-control": "no-store" };

/** The answer that the backend contract prescribes for an outcome. */
export function answerTo(outcome: Outcome<Reply>): AnswerMessage {
  if (outcome.kind === "done") {
    const { value } = outcome;
    if (isFileReply(value)) return fileAnswer(value.body);
    return answer(value.body === undefined ? 204 : 200, value.body);
  }
  const { status, body, headers } = encodeRefusal(outcome);
  return answer(status, body, headers);
}
