import { readUpTo } from "~/platform/lifecycle/read-up-to.server";
import { cookiesForBackend, setCookieLinesForBrowser } from "./attached-cookies";
import type { Send } from "./backend-client.server";

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
}

/**
 * Sends calls to a backend over HTTP, on kept-alive connections. Redirects are not followed: they could send a password
 * anywhere (S70). A call runs to its end even if the visitor leaves, since the second of a doubled submit must run too.
 *
 * Only the status, the body, the cookies and `Retry-After` of the answer are used.
 * @throws Error if there is no answer, or it comes too late or is too long
 */
export function attachedBackend({ url, https, timeoutMs, answerBytes }: AttachedBackend): Send {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const headers = new Headers(request.headers);
    const sent = headers.get("Cookie") ?? "";
    const cookies = cookiesForBackend(sent, https);
    if (cookies === "") headers.delete("Cookie");
    else headers.set("Cookie", cookies);
    headers.set("Accept", "application/json");
    // Another machine has another clock.
    headers.delete("X-Received-At");
    const answer = await fetch(url + pathname, {
      method: request.method,
      headers,
      // As text, so that its length is declared: servers may refuse a body without one.
      ...(request.body && { body: await request.text() }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readUpTo(answerBytes, answer);
    return new Response(body.byteLength === 0 ? null : body, {
      status: answer.status,
      headers: headersForPortal(answer.headers, sent, https),
    });
  };
}

function headersForPortal(given: Headers, sent: string, https: boolean): Headers {
  const headers = new Headers();
  for (const line of setCookieLinesForBrowser(given.getSetCookie(), sent, https, Date.now()))
    headers.append("Set-Cookie", line);
  const retryAfter = given.get("Retry-After");
  if (retryAfter !== null) headers.set("Retry-After", retryAfter);
  return headers;
}
