import { readUpTo } from "~/platform/lifecycle/read-up-to.server";
import { cookiesForBackend, setCookieLinesForBrowser } from "./attached-cookies";
import type { Send } from "./backend-client.server";

/** Where a backend of the insurer's own is, and how far it is trusted. */
export interface AttachedBackend {
  /** Its origin. */
  readonly url: string;
  /** Whether customers reach the portal by https: their cookies are named and flagged by it. */
  readonly https: boolean;
  /** A call that takes longer, its answer's body included, has failed (ms). */
  readonly timeoutMs: number;
  /** An answer that is longer, unpacked, has failed (bytes). */
  readonly answerBytes: number;
}

/**
 * Sends calls to a backend by HTTP, over connections that are kept. No redirect is followed: it could lead a password
 * anywhere (S70). A call is on its own once it was made: a visitor who goes away doesn't take it back, since the twin
 * of a doubled submit has to run as well.
 *
 * Of the answer only status, body and cookies are taken over.
 * @throws Error when there is no answer, it comes too late, or it is too long
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
    const answer = await fetch(url + pathname, {
      method: request.method,
      headers,
      // As text: its length is declared, and servers may refuse a body without.
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
