import type { AnswerMessage, CallMessage } from "~/contract/messages.server";

/** A call as a `Request`, which is easier to read in tests. */
export function requestOf({ method, path, headers, body }: CallMessage): Request {
  if (typeof body !== "string") throw new Error("The portal sends its calls whole");
  const sent = new Headers(headers as Record<string, string>);
  return new Request(`http://backend.invalid${path}`, {
    method,
    headers: sent,
    body: body === "" ? null : body,
  });
}

/** A `Response` as the answer of a backend. */
export async function answerOf(response: Response): Promise<AnswerMessage> {
  const { "set-cookie": _lines, ...headers } = Object.fromEntries(response.headers);
  return {
    status: response.status,
    headers,
    setCookies: response.headers.getSetCookie(),
    body:
      headers["content-type"] === "application/pdf" && response.body ? response.body : await response.text(),
  };
}
