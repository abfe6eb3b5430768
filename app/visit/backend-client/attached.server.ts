import type { AnswerMessage, CallMessage, MessageHeaders } from "~/contract/messages.server";
import { MOST_DOCUMENT_BYTES, PDF } from "~/contract/pdf-file.server";
import { readUpTo } from "~/platform/lifecycle/read-up-to.server";
import { cookiesForBackend, setCookieLinesForBrowser } from "./attached-cookies";
import type { Send } from "./backend-client.server";
import { streamUpTo } from "./stream-up-to.server";

/** Where the attached backend is, and how far it is trusted. */
interface AttachedBackend {
  /** Its origin. */
  readonly url: string;
  /** Whether customers reach the portal over https; it decides the names and flags of their cookies. */
  readonly https: boolean;
  /** Timeout of a call, including the answer's body (ms). */
  readonly timeoutMs: number;
  /** Longest answer accepted, decompressed (bytes). */
  readonly answerBytes: number;
  /** Longest pause between two pieces of a document (ms). */
  readonly documentPauseMs: number;
}

/**
 * Sends calls to a backend over HTTP, on kept-alive connections. Doesn't follow redirects, which could send a password
 * anywhere (S70). A call runs to its end even if the visitor leaves, because the second of a doubled submit must run
 * too; only a document is given up.
 *
 * Of the answer, only status, body, cookies and `Retry-After` are used, and a document's type, name and length.
 * @throws Error if there is no answer, or it comes too late or is too long
 */
export function attachedBackend(backend: AttachedBackend): Send {
  const { url, https, timeoutMs, answerBytes } = backend;
  return async (call) => {
    const sent = call.headers["cookie"] ?? "";
    const asksForDocument = call.headers["accept"] === PDF;
    const end = new AbortController();
    const left = asksForDocument ? call.left?.() : undefined;
    const timer = setTimeout(() => {
      end.abort(new DOMException("The backend took too long", "TimeoutError"));
    }, timeoutMs);
    try {
      const answer = await fetch(url + call.path, {
        method: call.method,
        headers: headersForBackend(call, cookiesForBackend(sent, https)),
        // Sent as text, which declares its length: servers may refuse a body without one.
        ...(typeof call.body === "string" && call.body !== "" && { body: call.body }),
        redirect: "manual",
        signal: left ? AbortSignal.any([end.signal, left]) : end.signal,
      });
      const { status, headers: given } = answer;
      const setCookies = setCookieLinesForBrowser(given.getSetCookie(), sent, https, Date.now());
      const forPortal = { status, setCookies, headers: pick(given, ["retry-after"]) };
      if (asksForDocument && status === 200 && answer.body)
        return { ...forPortal, ...document(answer, answer.body, backend, end) };
      return { ...forPortal, body: new TextDecoder().decode(await readUpTo(answerBytes, answer)) };
    } finally {
      clearTimeout(timer);
    }
  };
}

function headersForBackend({ headers }: CallMessage, cookies: string): Record<string, string> {
  // Without the time of arrival: another machine has another clock.
  const { cookie: _cookie, "x-received-at": _receivedAt, ...others } = headers;
  return { accept: "application/json", ...others, ...(cookies !== "" && { cookie: cookies }) };
}

/** Passes a document on while it arrives, because it may be long and take longer than any other answer. */
function document(
  { headers }: Response,
  body: ReadableStream<Uint8Array>,
  { documentPauseMs }: AttachedBackend,
  end: AbortController,
): Pick<AnswerMessage, "headers" | "body"> {
  // A compressed answer declares its compressed length.
  const length = headers.has("Content-Encoding") ? [] : ["content-length"];
  const limits = { mostBytes: MOST_DOCUMENT_BYTES, pauseMs: documentPauseMs };
  return {
    headers: pick(headers, ["content-type", "content-disposition", ...length]),
    body: streamUpTo(body, limits, end),
  };
}

function pick(headers: Headers, names: readonly string[]): MessageHeaders {
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]));
}
