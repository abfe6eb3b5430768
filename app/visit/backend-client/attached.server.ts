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
 * Sends calls to a backend over HTTP, on kept-alive connections. Redirects are not followed: they could send a password
 * anywhere (S70). A call runs to its end even if the visitor leaves, since the second of a doubled submit must run too.
 *
 * Only the status, the body, the cookies and `Retry-After` of the answer are used, and a document's type, name and length.
 * @throws Error if there is no answer, or it comes too late or is too long
 */
export function attachedBackend(backend: AttachedBackend): Send {
  const { url, https, timeoutMs, answerBytes } = backend;
  return async (request) => {
    const { pathname } = new URL(request.url);
    const headers = new Headers(request.headers);
    const sent = headers.get("Cookie") ?? "";
    const cookies = cookiesForBackend(sent, https);
    if (cookies === "") headers.delete("Cookie");
    else headers.set("Cookie", cookies);
    const asksForDocument = headers.get("Accept") === PDF;
    if (!asksForDocument) headers.set("Accept", "application/json");
    // Another machine has another clock.
    headers.delete("X-Received-At");
    const end = new AbortController();
    const timer = setTimeout(() => {
      end.abort(new DOMException("The backend took too long", "TimeoutError"));
    }, timeoutMs);
    try {
      const answer = await fetch(url + pathname, {
        method: request.method,
        headers,
        // As text, so that its length is declared: servers may refuse a body without one.
        ...(request.body && { body: await request.text() }),
        redirect: "manual",
        signal: end.signal,
      });
      const init = { status: answer.status, headers: headersForPortal(answer.headers, sent, https) };
      if (asksForDocument && answer.status === 200 && answer.body)
        return document(answer, answer.body, init, backend, end);
      const body = await readUpTo(answerBytes, answer);
      return new Response(body.byteLength === 0 ? null : body, init);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** A document is handed on while it arrives: it may be long, and need longer than any other answer. */
function document(
  answer: Response,
  body: ReadableStream<Uint8Array>,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  { documentPauseMs }: AttachedBackend,
  end: AbortController,
): Response {
  for (const name of DOCUMENT_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  // The length of a packed answer is another one.
  if (answer.headers.has("Content-Encoding")) headers.delete("Content-Length");
  const limits = { mostBytes: MOST_DOCUMENT_BYTES, pauseMs: documentPauseMs };
  return new Response(streamUpTo(body, limits, end), { status, headers });
}

const DOCUMENT_HEADERS = ["Content-Type", "Content-Disposition", "Content-Length"] as const;

function headersForPortal(given: Headers, sent: string, https: boolean): Headers {
  const headers = new Headers();
  for (const line of setCookieLinesForBrowser(given.getSetCookie(), sent, https, Date.now()))
    headers.append("Set-Cookie", line);
  const retryAfter = given.get("Retry-After");
  if (retryAfter !== null) headers.set("Retry-After", retryAfter);
  return headers;
}
