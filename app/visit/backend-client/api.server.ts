import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  type AnswerMessage,
  type CallMessage,
  type MessageHeaders,
  responseOf,
} from "~/contract/messages.server";
import { leftSignal, sendInTime } from "~/server/front-door/slow-readers.server";
import { environment } from "~/platform/config/environment.server";
import { backendForApi } from "./backend-client.server";

/** The answer with an attached backend: nothing is ever forwarded to it. */
const NO_API: AnswerMessage = {
  status: 404,
  headers: { "content-type": "application/json" },
  setCookies: [],
  body: "{}",
};

/**
 * Answers calls of the embedded backend's API, for testers and other portals; the portal itself calls the backend in
 * process. Straight from Node's request, because a web `Request` and `Response` would cost more than most calls.
 */
export async function answerApiCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const backend = await backendForApi();
  const answered = backend ? await backend.handle(callIn(request, response)) : NO_API;
  if (response.destroyed) return;
  const { status, headers, setCookies, body } = answered;
  if (typeof body !== "string") {
    await sendInTime(response, responseOf(answered), environment().limits);
    return;
  }
  response.writeHead(status, {
    ...headers,
    ...(setCookies.length > 0 && { "set-cookie": [...setCookies] }),
    ...(body !== "" && { "content-length": Buffer.byteLength(body) }),
  });
  response.end(body);
}

function callIn(request: IncomingMessage, response: ServerResponse): CallMessage {
  const { method = "", url = "", headers } = request;
  // A URL parser also resolves dots and escapes characters where needed.
  const { pathname } = new URL(url, "http://portal.invalid");
  const left = () => leftSignal(response);
  // A reader that stops early must not end the connection before the answer.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  return { method, path: pathname, headers: singleValues(headers), body, left };
}

/** Drops headers with several values. Node has joined the values of all headers that we read. */
function singleValues(headers: IncomingHttpHeaders): MessageHeaders {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") single[name] = value;
  return single;
}
